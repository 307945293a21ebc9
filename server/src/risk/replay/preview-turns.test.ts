import { describe, expect, it } from 'vitest';
import { ApiError } from '../../platform/errors.ts';
import { PreviewTurns } from './preview-turns.ts';

/** Work that ends on demand. */
function createWork() {
  let end = () => {};
  let begun = false;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const work = async () => {
    begun = true;
    await ended;
  };
  return { work, end: () => end(), hasBegun: () => begun };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));
const noneLeaves = new AbortController().signal;

describe('the turns of previews', () => {
  it('runs one preview at a time, those of an organization in the order of arrival', async () => {
    const turns = new PreviewTurns();
    const works = [createWork(), createWork(), createWork()];
    const taken = works.map(({ work }) => turns.take('a', noneLeaves, work));
    for (const [index, { end }] of works.entries()) {
      await settled();
      expect(works.map(({ hasBegun }) => hasBegun())).toEqual(works.map((_, other) => other <= index));
      end();
    }
    await Promise.all(taken);
  });

  it('alternates between organizations, however many previews of one wait', async () => {
    const turns = new PreviewTurns();
    const begun: string[] = [];
    const works = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map((name) => ({ name, ...createWork() }));
    const taken = works.map(({ name, work }) =>
      turns.take(name.charAt(0), noneLeaves, async () => {
        begun.push(name);
        await work();
      }),
    );
    for (let index = 0; index < works.length; index++) {
      await settled();
      works.find(({ name }) => name === begun[index])?.end();
    }
    await Promise.all(taken);
    expect(begun).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });

  it('continues after a preview that failed', async () => {
    const turns = new PreviewTurns();
    const failing = turns.take('a', noneLeaves, () => Promise.reject(new Error('No.')));
    const next = turns.take('a', noneLeaves, () => Promise.resolve(2));
    await expect(failing).rejects.toThrow('No.');
    expect(await next).toBe(2);
    expect(await turns.take('a', noneLeaves, () => Promise.resolve(3))).toBe(3);
  });

  it('refuses a preview where all places are taken, or half of them by its organization', async () => {
    const turns = new PreviewTurns();
    const works = Array.from({ length: 9 }, () => createWork());
    const owners = ['a', 'a', 'a', 'a', 'a', 'b', 'b', 'b', 'b'];
    const taken = works.map(({ work }, index) => turns.take(owners[index] ?? '', noneLeaves, work));
    const refused = { code: 'unavailable', extras: { retryAfterSeconds: 5 } };
    await expect(turns.take('c', noneLeaves, createWork().work)).rejects.toMatchObject(refused);
    works[0]?.end();
    await taken[0];
    const more = createWork();
    taken.push(turns.take('b', noneLeaves, more.work));
    await expect(turns.take('a', noneLeaves, createWork().work)).rejects.toMatchObject(refused);
    for (const { end } of [...works, more]) end();
    await Promise.all(taken);
  });

  it('frees the place of a preview whose client disconnects', async () => {
    const turns = new PreviewTurns();
    const first = createWork();
    const running = turns.take('a', noneLeaves, first.work);
    const leaving = new AbortController();
    const left = createWork();
    const gone = turns.take('a', leaving.signal, left.work);
    const last = turns.take('a', noneLeaves, () => Promise.resolve('last'));
    leaving.abort(new ApiError('unavailable', 'The client has gone away.'));
    await expect(gone).rejects.toMatchObject({ code: 'unavailable' });
    first.end();
    await running;
    expect(await last).toBe('last');
    expect(left.hasBegun()).toBe(false);
    await expect(
      turns.take('a', noneLeaves, () => turns.take('a', leaving.signal, left.work)),
    ).rejects.toMatchObject({ code: 'unavailable' });
  });
});
