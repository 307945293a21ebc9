import { existsSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { hold, makeTemporaryDirectory, releaseAll } from './held.ts';

afterEach(() => vi.restoreAllMocks());

describe('what a benchmark holds', () => {
  it('undoes the newest first, and each once', async () => {
    const undone: string[] = [];
    const release = await hold(async () => void undone.push('first'));
    await hold(async () => void undone.push('second'));
    await releaseAll();
    await release();
    expect(undone).toEqual(['second', 'first']);
  });

  it('undoes the rest where one cannot be undone', async () => {
    const reported = vi.spyOn(console, 'error').mockImplementation(() => {});
    const { directory } = await makeTemporaryDirectory();
    await hold(() => Promise.reject(new Error('It has ended already.')));
    await releaseAll();
    expect(existsSync(directory)).toBe(false);
    expect(reported).toHaveBeenCalledOnce();
  });

  it('removes a directory where that is asked for before the end', async () => {
    const { directory, remove } = await makeTemporaryDirectory();
    expect(existsSync(directory)).toBe(true);
    await remove();
    expect(existsSync(directory)).toBe(false);
  });
});
