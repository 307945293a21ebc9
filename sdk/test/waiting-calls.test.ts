import { expect, it } from 'vitest';
import type { Call } from '../src/call.ts';
import { StoredBodies } from '../src/stored-bodies.ts';
import { WaitingCalls } from '../src/waiting-calls.ts';

it('takes the oldest call first, whether it may be sent in bulk or not', () => {
  const bodies = new StoredBodies();
  const waiting = new WaitingCalls();
  const kinds = ['event', 'deploy', 'server_error', 'event', 'event', 'deploy'] as const;
  for (const [sequence, kind] of kinds.entries()) {
    const call: Call = {
      ...bodies.add('{}'),
      kind,
      sequence,
      name: 'checkout',
      calledAtMs: sequence,
      capturedAtMs: sequence,
      timePolicy: 'never',
      epoch: 0,
      resolve: null,
    };
    waiting.add(call);
  }
  const taken = kinds.map(() => waiting.take(false)?.calls.map(({ sequence }) => sequence));
  expect(taken).toEqual([[0], [1], [2], [3], [4], [5]]);
  expect(waiting.take(false)).toBeNull();
});
