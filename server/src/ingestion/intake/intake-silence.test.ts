import { expect, it } from 'vitest';
import { item, OPEN, startIntake } from './testing.ts';

it('answers each request 8.5 seconds after it came, in a commit without an end or waiting for one, and leaves the commit to end', async () => {
  let nowMs = 0;
  const { queue, intake } = startIntake({}, () => nowMs);
  const send = (name: string) =>
    intake.append(item('a', name), OPEN).then(
      ({ status }) => status,
      (error: { code: string }) => error.code,
    );
  const first = send('1');
  await expect.poll(() => queue.names()).toEqual([['a1']]);
  nowMs = 4_000;
  const second = send('2');
  nowMs = 8_500;
  expect(await first).toBe('unavailable');
  expect(intake.waiting).toBe(1);
  nowMs = 12_500;
  expect(await second).toBe('unavailable');
  expect([queue.names(), intake.waiting]).toEqual([[['a1']], 0]);
  const third = send('3');
  await queue.end();
  await expect.poll(() => queue.names()).toEqual([['a1'], ['a3']]);
  await queue.end();
  expect(await third).toBe('queued');
});
