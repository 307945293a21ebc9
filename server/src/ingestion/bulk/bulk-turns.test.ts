import { describe, expect, it } from 'vitest';
import { ApiError } from '../../platform/errors.ts';
import { BulkTurns } from './bulk-turns.ts';

/** Work that ends on demand. */
function createWork(name: string, begun: string[]) {
  let end = () => {};
  const ended = new Promise<void>((resolve) => (end = resolve));
  const work = async () => {
    begun.push(name);
    await ended;
  };
  return { work, end: () => end() };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));
const nobodyLeaves = new AbortController().signal;
const LIMITS = { atWork: 2, maxWaiting: 8, maxWaitingBytes: 1_000 };

describe('the turns of bulk bodies', () => {
  it('runs two bulk bodies at a time, alternating between projects', async () => {
    const turns = new BulkTurns(LIMITS);
    const begun: string[] = [];
    const names = ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'a5', 'b2'];
    const works = names.map((name) => createWork(name, begun));
    const taken = works.map(({ work }, index) =>
      turns.take(names[index]?.charAt(0) ?? '', 1, nobodyLeaves, work),
    );
    const order = ['a1', 'a2', 'a3', 'b1', 'c1', 'a4', 'b2', 'a5'];
    for (let ended = 0; ended <= order.length; ended++) {
      await settled();
      expect(begun).toEqual(order.slice(0, ended + 2));
      works[names.indexOf(order[ended] ?? '')]?.end();
    }
    await Promise.all(taken);
  });

  it('continues after a bulk body that failed', async () => {
    const turns = new BulkTurns({ ...LIMITS, atWork: 1 });
    const failing = turns.take('a', 1, nobodyLeaves, () => Promise.reject(new Error('No.')));
    const next = turns.take('a', 1, nobodyLeaves, () => Promise.resolve(2));
    await expect(failing).rejects.toThrow('No.');
    expect(await next).toBe(2);
    expect(await turns.take('a', 1, nobodyLeaves, () => Promise.resolve(3))).toBe(3);
  });

  it.each([
    ['places', 1],
    ['bytes', 125],
  ])(
    'refuses a project that has half of the %s, and every project where all are taken',
    async (_what, bytes) => {
      const turns = new BulkTurns({ ...LIMITS, atWork: 1 });
      const works = Array.from({ length: 9 }, () => createWork('', []));
      const takePlace = (project: string, work: () => Promise<void>) =>
        turns.take(project, bytes, nobodyLeaves, work);
      const take = (project: string) => takePlace(project, () => Promise.resolve());
      const retry = { extras: { retryAfterSeconds: 1 } };
      const taken = works.slice(0, 5).map(({ work }) => takePlace('a', work));
      await expect(take('a')).rejects.toMatchObject({ code: 'project_over_share', ...retry });
      taken.push(...works.slice(5).map(({ work }) => takePlace('b', work)));
      await expect(take('c')).rejects.toMatchObject({ code: 'unavailable', ...retry });
      for (const { end } of works) end();
      await Promise.all(taken);
      await take('a');
    },
  );

  it('frees the place of a client that disconnects', async () => {
    const turns = new BulkTurns({ ...LIMITS, atWork: 1 });
    const begun: string[] = [];
    const first = createWork('first', begun);
    const running = turns.take('a', 1, nobodyLeaves, first.work);
    const leaving = new AbortController();
    const gone = turns.take('a', 1_000 / 2, leaving.signal, createWork('gone', begun).work);
    leaving.abort(new ApiError('unavailable', 'The client has gone away.'));
    await expect(gone).rejects.toMatchObject({ code: 'unavailable' });
    const last = turns.take('a', 1_000 / 2, nobodyLeaves, () => Promise.resolve('last'));
    first.end();
    await running;
    expect(await last).toBe('last');
    expect(begun).toEqual(['first']);
    await expect(
      turns.take('a', 1, nobodyLeaves, () => turns.take('a', 1, leaving.signal, first.work)),
    ).rejects.toMatchObject({
      code: 'unavailable',
    });
  });
});
