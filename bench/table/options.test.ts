import { describe, expect, it } from 'vitest';
import { readRequest, UsageError } from './options.ts';

const PARTS = {
  quick: { about: 'quick', measure: null },
  slow: { about: 'slow', measure: null, isLong: true, needs: 'commit' },
} as const;
const read = (...parameters: string[]) => readRequest(parameters, PARTS);

describe('the command line of the table', () => {
  it('measures all parts but the long ones, in at least five rounds', () => {
    expect(read()).toMatchObject({ show: 'table', names: ['quick'] });
    expect(read()).toHaveProperty('options.rounds', 5);
  });

  it('measures the parts that it names, each once', () => {
    const names = ['--part', 'slow', '--part', 'quick', '--part', 'slow'];
    expect(read(...names, '--commit', 'v1', '--rounds', '9', '--seconds', '3')).toEqual({
      show: 'table',
      names: ['slow', 'quick'],
      node: null,
      options: { rounds: 9, seconds: 3, commit: 'v1', data: [] },
    });
  });

  it('lists the parts, and prints how it is used', () => {
    expect(read('--list')).toEqual({ show: 'list' });
    expect(read('-h')).toEqual({ show: 'help' });
  });

  it.each([
    [['--part', 'none'], 'There is no part "none"; there are quick, slow.'],
    [['--part', 'constructor'], 'There is no part "constructor"'],
    [['--part', 'slow'], 'The part "slow" needs --commit'],
    [['--rounds', '0'], '--rounds is a whole number from 1 to 99, not "0".'],
    [['--seconds', '1.5'], '--seconds is a whole number'],
    [['--seconds', ''], '--seconds is a whole number'],
    [['--round', '5'], "'--round'"],
    [['single'], "'single'"],
  ])('refuses %j with a sentence', (parameters, sentence) => {
    expect(() => read(...parameters)).toThrow(UsageError);
    expect(() => read(...parameters)).toThrow(sentence);
  });
});
