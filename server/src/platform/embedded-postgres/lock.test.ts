import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { acquireLock, type Lock, rightToSucceed } from './lock.ts';
import { processStart } from './process-table.ts';
import { idleProcess, staleLock, temporaryDirectory } from './testing.ts';

async function lockPath(): Promise<string> {
  return join(await temporaryDirectory(), 'tocsin.lock');
}

async function race(path: string, newcomers: number): Promise<Lock[]> {
  const results = await Promise.allSettled(Array.from({ length: newcomers }, () => acquireLock(path)));
  for (const result of results) {
    if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'already_running' });
  }
  return results.filter((result) => result.status === 'fulfilled').map((result) => result.value);
}

it('A held lock is refused, with the process and the directory in the message; a released one is free.', async () => {
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

it('Of many newcomers to a free lock exactly one gets it.', async () => {
  const path = await lockPath();
  for (let round = 0; round < 10; round += 1) {
    const winners = await race(path, 8);
    expect(winners).toHaveLength(1);
    await winners[0]?.release();
  }
});

it('Of many newcomers to the lock of a dead process exactly one gets it.', async () => {
  const path = await lockPath();
  const stale = await staleLock();
  for (let round = 0; round < 50; round += 1) {
    await writeFile(path, `${stale.slice(0, -1)},"round":${round}}`);
    const winners = await race(path, 8);
    expect(winners).toHaveLength(1);
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ pid: process.pid });
    await winners[0]?.release();
  }
  expect(await readdir(join(path, '..'))).toEqual([]);
});

it('Newcomers that come and go over a stale lock never hold it at the same time.', async () => {
  const path = await lockPath();
  await writeFile(path, await staleLock());
  let holders = 0;
  let turns = 0;
  const comeAndGo = async () => {
    while (turns < 100) {
      const lock = await acquireLock(path).catch(() => null);
      if (lock === null) continue;
      holders += 1;
      turns += 1;
      expect(holders).toBe(1);
      await new Promise(setImmediate);
      holders -= 1;
      // Every other one dies instead of leaving.
      if (turns % 2 === 0) await lock.release();
      else
        await writeFile(path, (await readFile(path, 'utf8')).replace(/"start":"[^"]*"/, '"start":"before"'));
    }
  };
  await Promise.all(Array.from({ length: 4 }, comeAndGo));
});

it('Of many newcomers, exactly one succeeds a successor that died before it was done.', async () => {
  const path = await lockPath();
  const [dead, deadSuccessor] = [await staleLock(), await staleLock()];
  await writeFile(path, dead);
  await writeFile(rightToSucceed(path, dead), deadSuccessor);
  const winners = await race(path, 8);
  expect(winners).toHaveLength(1);
  await winners[0]?.release();
  expect(await readdir(join(path, '..'))).toEqual([]);
});

it('A successor that lives is respected, though the lock does not name it yet.', async () => {
  const path = await lockPath();
  const dead = await staleLock();
  const { pid = 0 } = await idleProcess();
  await writeFile(path, dead);
  await writeFile(
    rightToSucceed(path, dead),
    JSON.stringify({ pid, start: await processStart(pid), token: 'b' }),
  );
  await expect(acquireLock(path)).rejects.toThrow(`process ${pid}`);
});

it('A process that has been given the pid of a dead holder is not taken for it.', async () => {
  const path = await lockPath();
  const { pid } = await idleProcess();
  await writeFile(path, JSON.stringify({ pid, start: 'before', token: 'a' }));
  await (await acquireLock(path)).release();
});

it('A lock of another process that lives is respected.', async () => {
  const path = await lockPath();
  const { pid = 0 } = await idleProcess();
  await writeFile(path, JSON.stringify({ pid, start: await processStart(pid), token: 'a' }));
  await expect(acquireLock(path)).rejects.toThrow(`process ${pid}`);
});

it.each(['', '{', 'null', '{"pid":"x"}'])('A torn lock (%j) is taken over.', async (content) => {
  const path = await lockPath();
  await writeFile(path, content);
  await (await acquireLock(path)).release();
});
