import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bodyOf, type Call } from '../src/call.ts';
import { StoredBodies } from '../src/stored-bodies.ts';

const CALL: Omit<Call, 'chunk' | 'start' | 'bytes'> = {
  kind: 'event',
  sequence: 0,
  name: 'checkout',
  calledAtMs: 0,
  capturedAtMs: Date.UTC(2026, 0, 2, 3, 4, 5, 6),
  timePolicy: 'never',
  epoch: 0,
  resolve: null,
};

it('writes each body unchanged on its own line, whatever its size and its characters', () => {
  // Up to more than a chunk; three bytes a character, so that some chunks end within one.
  const text = fc.tuple(
    fc.string({ unit: 'grapheme', maxLength: 20 }),
    fc.constantFrom(0, 1, 900, 70_000, 300_000),
  );
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 12 }), (texts) => {
      const jsons = texts.map(([start, more]) => JSON.stringify({ message: start + '€'.repeat(more) }));
      const bodies = new StoredBodies();
      const calls = jsons.map((json): Call => ({ ...CALL, ...bodies.add(json) }));
      expect(Buffer.from(bodyOf(calls, 0)).toString()).toBe(jsons.join('\n'));
    }),
    { numRuns: 50 },
  );
});

it('adds the time to the lines of calls that carry one, without changing the stored bodies', () => {
  const bodies = new StoredBodies();
  const calls: Call[] = [
    { ...CALL, ...bodies.add('{"message":"one"}'), timePolicy: 'always' },
    { ...CALL, ...bodies.add('{"message":"two"}') },
    { ...CALL, ...bodies.add('{"release":"3"}'), kind: 'deploy', timePolicy: 'always' },
  ];
  const expected = [
    '{"message":"one","capturedAt":"2026-01-02T03:04:05.006Z"}',
    '{"message":"two"}',
    '{"release":"3","at":"2026-01-02T03:04:05.006Z"}',
  ].join('\n');
  for (let attempt = 0; attempt < 2; attempt++)
    expect(Buffer.from(bodyOf(calls, 0)).toString()).toBe(expected);
});
