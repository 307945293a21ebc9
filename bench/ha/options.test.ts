import { describe, expect, it } from 'vitest';
import { UsageError } from '../table/options.ts';
import { FAULTS } from './faults.ts';
import { readOptions } from './options.ts';

describe('the options of the proof of high availability', () => {
  it('runs all ten faults unless one is named', () => {
    expect(readOptions([])).toMatchObject({
      faults: Object.keys(FAULTS),
      seed: 1,
      rewind: false,
      logs: null,
    });
    expect(Object.keys(FAULTS)).toHaveLength(10);
    const named = ['--fault', 'frozen', '--seed', '7', '--rate', '300'];
    expect(readOptions(named)).toMatchObject({ faults: ['frozen'], seed: 7, rate: 300 });
  });

  it.each([
    [['--fault', 'flood'], 'There is no fault "flood"'],
    [['--rate', '0'], '--rate is a whole number from 1'],
    [['--seed', '1e3'], '--seed is a whole number'],
    [['--nonsense'], '--nonsense'],
  ])('refuses %j in a sentence', (parameters, sentence) => {
    expect(() => readOptions(parameters)).toThrow(UsageError);
    expect(() => readOptions(parameters)).toThrow(sentence);
  });
});
