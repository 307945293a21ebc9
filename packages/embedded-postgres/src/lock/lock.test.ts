import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { rounds } from '../../../../server/test/support/test-length.ts';
import { processStart } from '../process/process-table.ts';
import { idleProcess, plantLock, staleLock, temporaryDirectory } from '../testing.ts';
import type { HeldLock } from './held-lock.ts';
import { acquireLock, takeoverFile } from './lock.ts';
import { findPlace } from './place.ts';

async function lockPath(): Promise<string> {
  return join(await temporaryDirectory(), 'tocsin.lock');
}

/** A lock of another process of this machine. */
async function lockOf(pid: number | undefined, start: string | null): Promise<string> {
  const { id, host } = await findPlace();
  return JSON.stringify({ pid, start, place: id, host, token: 'a', beat: '000000000007' });
}

async function race(path: string, newcomers: number): Promise<HeldLock[]> {
  const results = await Promise.allSettled(Array.from({ length: newcomers }, () => acquireLock(path)));
  for (const result of results) {
    if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'already_running' });
  }
  return results.filter((result) => result.status === 'fulfilled').map((result) => result.value);
}

it('refuses a held lock by a message with process and directory, and gives a released one', async () => {
  const path = await lockPath();
  const lock = await acquireLock(path);
  await expect(acquireLock(path)).rejects.toMatchObject({
    code: 'already_running',
    message: expect.stringMatching(new RegExp(`${join(path, '..')}.*process ${process.pid}\\b`)) as unknown,
  });
  await lock.release();
  await (await acquireLock(path)).release();
  expect(await readdir(join(path, '..'))).toEqual([]);
});

it('gives a free lock to exactly one of many newcomers', async () => {
  const path = await lockPath();
  for (let round = 0; round < rounds(3, 10); round += 1) {
    const winners = await race(path, 8);
    expect(winners).toHaveLength(1);
    await winners[0]?.release();
  }
});

it('gives the lock of a dead process to exactly one of many newcomers', async () => {
  const path = await lockPath();
  const stale = await staleLock();
  for (let round = 0; round < rounds(12, 50); round += 1) {
    await plantLock(path, stale.replace('{', `{"round":${round},`));
    const winners = await race(path, 8);
    expect(winners).toHaveLength(1);
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ pid: process.pid });
    await winners[0]?.release();
  }
  expect(await readdir(join(path, '..'))).toEqual([]);
});

it('never gives a stale lock to two of many newcomers that come and go', async () => {
  const path = await lockPath();
  await writeFile(path, await staleLock());
  let holders = 0;
  let turns = 0;
  const enough = rounds(30, 100);
  const comeAndGo = async () => {
    while (turns < enough) {
      const lock = await acquireLock(path).catch(() => null);
      if (lock === null) continue;
      holders += 1;
      turns += 1;
      expect(holders).toBe(1);
      await new Promise(setImmediate);
      holders -= 1;
      // Every other one dies instead of leaving.
      const content = await readFile(path, 'utf8');
      if (turns % 2 === 1) await plantLock(path, content.replace(/"start":"[^"]*"/, '"start":"before"'));
      await lock.release();
    }
  };
  await Promise.all(Array.from({ length: 4 }, comeAndGo));
});

it('lets exactly one of many newcomers succeed a successor that died before it was done', async () => {
  const path = await lockPath();
  const [dead, deadSuccessor] = [await staleLock(), await staleLock()];
  await writeFile(path, dead);
  await writeFile(takeoverFile(path, dead), deadSuccessor);
  const winners = await race(path, 8);
  expect(winners).toHaveLength(1);
  await winners[0]?.release();
  expect(await readdir(join(path, '..'))).toEqual([]);
});

it('respects a living successor that the lock does not name yet', async () => {
  const path = await lockPath();
  const dead = await staleLock();
  const { pid = 0 } = await idleProcess();
  await writeFile(path, dead);
  await writeFile(takeoverFile(path, dead), await lockOf(pid, await processStart(pid)));
  await expect(acquireLock(path)).rejects.toThrow(`process ${pid}`);
});

it('does not mistake a process with the pid of a dead holder for that holder', async () => {
  const path = await lockPath();
  const { pid } = await idleProcess();
  await writeFile(path, await lockOf(pid, 'before'));
  await (await acquireLock(path)).release();
});

it('respects a lock of another living process', async () => {
  const path = await lockPath();
  const { pid = 0 } = await idleProcess();
  await writeFile(path, await lockOf(pid, await processStart(pid)));
  await expect(acquireLock(path)).rejects.toThrow(`process ${pid}`);
});

it.each(['', '{', 'null', '{"pid":"x"}'])('takes over a torn lock (%j)', async (content) => {
  const path = await lockPath();
  await writeFile(path, content);
  await (await acquireLock(path, { silenceMs: 1 })).release();
});

const elsewhere = { id: 'another place', host: 'blue' };

it('respects a holder in another container that renews its lock, and names it with its host', async () => {
  const path = await lockPath();
  // Not between the newcomer's reading of the lock and its first check.
  const lock = await acquireLock(path, { place: elsewhere, renewEveryMs: 500 });
  const warn = vi.fn<(message: string) => void>();
  await expect(acquireLock(path, { warn })).rejects.toMatchObject({
    code: 'already_running',
    message: expect.stringMatching(
      new RegExp(`process ${process.pid} on host blue, in another container`),
    ) as unknown,
  });
  expect(warn.mock.calls.join()).toContain('15 s');
  const files = (await readdir(join(path, '..'))).toSorted();
  expect(files).toEqual(['tocsin.lock']);
  await lock.release();
});

it('ignores the pid of a holder in another container, whether a process here has it or not', async () => {
  const path = await lockPath();
  const { pid = 0 } = await idleProcess();
  const content = (await lockOf(pid, await processStart(pid))).replace(/"place":"[^"]*"/, '"place":"x"');
  await writeFile(path, content);
  // It is silent, so it is dead, although a process of that pid runs here.
  await (await acquireLock(path, { silenceMs: 1 })).release();
});

it('respects a holder in another container without a renewal while its socket is open', async () => {
  const path = await lockPath();
  const lock = await acquireLock(path, { place: elsewhere, renewEveryMs: 3_600_000 });
  await lock.listen();
  await expect(acquireLock(path, { silenceMs: 1 })).rejects.toMatchObject({ code: 'already_running' });
  await lock.release();
  expect(await readdir(join(path, '..'))).toEqual([]);
});

it('respects a holder in another container while its server writes', async () => {
  const path = await lockPath();
  await writeFile(path, await staleLock(elsewhere));
  let writes = 0;
  const lastWrite = async () => String((writes += 1));
  await expect(acquireLock(path, { lastWrite, silenceMs: 1 })).rejects.toThrow('already runs');
  expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ place: elsewhere.id });
});

it('gives a silent lock of another container to exactly one of many newcomers', async () => {
  const path = await lockPath();
  for (let round = 0; round < rounds(1, 3); round += 1) {
    await writeFile(path, await staleLock(elsewhere));
    const winners = await Promise.allSettled(
      // Each is a container of its own to the others.
      Array.from({ length: 6 }, (_, index) =>
        acquireLock(path, {
          place: { id: `container ${index}`, host: 'green' },
          silenceMs: 1_000,
          renewEveryMs: 10,
        }),
      ),
    );
    const locks = winners.filter((winner) => winner.status === 'fulfilled').map(({ value }) => value);
    expect(locks).toHaveLength(1);
    await locks[0]?.release();
  }
  expect(await readdir(join(path, '..'))).toEqual([]);
});

it('restores a removed lock, and lets no other container in while its holder lives', async () => {
  const path = await lockPath();
  const lock = await acquireLock(path, { place: elsewhere, renewEveryMs: 10 });
  await lock.listen();
  await rm(path);
  await vi.waitFor(async () => expect(JSON.parse(await readFile(path, 'utf8'))).toBeTruthy());
  await rm(path);
  await vi.waitFor(async () =>
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ place: elsewhere.id }),
  );
  await lock.release();
  expect(await readdir(join(path, '..'))).toEqual([]);
});

it('gives up and leaves nothing behind if there is no lock, but an open socket', async () => {
  const path = await lockPath();
  const lock = await acquireLock(path, { place: elsewhere, renewEveryMs: 3_600_000 });
  await lock.listen();
  await rm(path);
  const newcomer = await acquireLock(path, { leftoversLimitMs: 1 });
  await expect(newcomer.listen()).rejects.toMatchObject({ code: 'already_running' });
  await newcomer.release();
  expect(await readdir(join(path, '..'))).toEqual(['tocsin.sock']);
  await lock.release();
});

it('tells a holder that was mistaken for dead at its next renewal, and leaves its successor unharmed', async () => {
  const path = await lockPath();
  const lock = await acquireLock(path, { place: elsewhere, renewEveryMs: 50 });
  const successor = await staleLock();
  await plantLock(path, successor);
  await lock.lost;
  await lock.release();
  expect(await readFile(path, 'utf8')).toBe(successor);
});

it('holds the lock by its file alone where files cannot be sockets, and warns about it', async () => {
  const path = await lockPath();
  const warn = vi.fn<(message: string) => void>();
  const refuse = () => Promise.reject(new Error('EPERM: operation not permitted'));
  const lock = await acquireLock(path, { place: elsewhere, renewEveryMs: 10, warn, listenAt: refuse });
  expect(await lock.listen()).toBeNull();
  expect(warn.mock.calls.join()).toMatch(/takes no Unix socket \(EPERM.*renewed lock file/);
  await expect(acquireLock(path)).rejects.toThrow('already runs');
  await lock.release();
});

it('puts the socket into a directory with a long path as well', async () => {
  const directory = join(await temporaryDirectory(), 'x'.repeat(150));
  await mkdir(directory);
  const path = join(directory, 'tocsin.lock');
  const lock = await acquireLock(path, { place: elsewhere, renewEveryMs: 3_600_000 });
  expect(await lock.listen()).not.toBeNull();
  await expect(acquireLock(path, { silenceMs: 1 })).rejects.toThrow('already runs');
  await lock.release();
  expect(await readdir(directory)).toEqual([]);
});

it('ends a wait for silence with the signal', async () => {
  const path = await lockPath();
  await writeFile(path, await staleLock(elsewhere));
  const controller = new AbortController();
  const waiting = acquireLock(path, { signal: controller.signal, warn: () => controller.abort() });
  await expect(waiting).rejects.toThrow();
  expect(await readdir(join(path, '..'))).toEqual(['tocsin.lock']);
});
