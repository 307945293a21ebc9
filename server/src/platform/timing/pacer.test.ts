import { expect, it } from 'vitest';
import { Pacer } from './pacer.ts';

it('rests in proportion to the work since the last rest, but not for long unless it is asked to', async () => {
  let nowMs = 0;
  const rests: number[] = [];
  const pacer = new Pacer(
    () => nowMs,
    async (ms) => {
      rests.push(ms);
      nowMs += ms;
    },
  );
  for (const workedMs of [4, 0, 10, 30_000]) {
    nowMs += workedMs;
    await pacer.rest();
  }
  await pacer.rest(70);
  expect(rests).toEqual([12, 0, 30, 50, 70]);
});
