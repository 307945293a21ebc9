import { describe, expect, it } from 'vitest';
import { isErasedLetter, replaceInJson, toErasedValue } from './replace-value.ts';

describe('a value within texts', () => {
  it.each([
    ['usr_4711', 'User usr_4711, usr_47112 and xusr_4711', 'User [erased], usr_47112 and xusr_4711'],
    ['a+b@c.de', 'To <a+b@c.de>: aab@c.de', 'To <[erased]>: aab@c.de'],
    ['$&$1', '($&$1)', '([erased])'],
    ['Zoë Ünal', 'Zoë Ünal/Zoë Ünals', '[erased]/Zoë Ünals'],
    ['x"\\\ny', 'a x"\\\ny b', 'a [erased] b'],
    ['42', 'Try 42', 'Try 42'],
  ])('replaces %j as a word of its own in %j', (value, text, expected) => {
    expect(toErasedValue(value).replace(text)).toBe(expected);
  });

  it('finds a value with quotes and control characters in JSON', () => {
    expect(JSON.stringify({ title: 'a x"\\\ty b' })).toContain(toErasedValue('x"\\\ty').inJson);
  });

  it('replaces a value in texts of evidence and as a correlation id, and in no name or kind', () => {
    const evidence = {
      sentence: 'Errors of total',
      rule: 'total',
      series: { kind: 'total', source: 'total' },
      total: [{ message: 'total failed' }, { correlationId: 'total', events: 3 }],
      group: null,
    };
    expect(replaceInJson(evidence, toErasedValue('total'))).toEqual({
      ...evidence,
      sentence: 'Errors of [erased]',
      total: [{ message: '[erased] failed' }, { correlationId: '[erased]', events: 3 }],
    });
    const short = { correlationIds: [{ correlationId: '42' }, { correlationId: '421' }], sentence: 'At 42' };
    expect(replaceInJson(short, toErasedValue('42'))).toEqual({
      correlationIds: [{ correlationId: '[erased]' }, { correlationId: '421' }],
      sentence: 'At 42',
    });
  });
});

describe('the erasure of dead letters', () => {
  const letter = (correlation: unknown) => JSON.stringify({ correlation, message: 'usr_4711' });

  it.each<[string, string | null, boolean]>([
    [letter({ user_id: 'usr_4711' }), 'user_id', true],
    [letter({ user_id: 'usr_4711' }), 'order_id', false],
    [letter({ order_id: 'usr_4711' }), null, true],
    [letter({ user_id: 'usr_47112' }), null, false],
    [letter({ user_id: { toString: 'usr_4711' } }), null, false],
    ['[{"correlation": {"user_id": "usr_4711"', 'user_id', true],
    ['[{"correlation": {"user_id": "usr_47112"', 'user_id', false],
    ['[{"correlation": {"user_id": "usr_4711"}}]', 'user_id', true],
    ['null', 'user_id', false],
  ])('decides if the letter %j goes with the value of the key %j: %j', (text, key, expected) => {
    expect(isErasedLetter(text, key, 'usr_4711')).toBe(expected);
  });
});
