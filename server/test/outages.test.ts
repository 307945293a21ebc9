import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync } from 'node:fs';
import { readFile, rm, statfs } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { makeScratchDirectory } from '@tocsin/simulation/scratch';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createDataDirectory, fillDataDirectory } from './support/data-directory.ts';
import { clientOf, expectExactlyOnce, signUpAt } from './support/exactly-once.ts';
import { startLoad } from './support/load.ts';
import { BUILD_TIMEOUT_MS, buildServer, startProgram, startUntilEnd } from './support/program.ts';
import { scaled } from './support/time-scale.ts';
import { waitFor } from './support/wait.ts';

const TEST_TIMEOUT_MS = scaled(180_000);
const SENDERS = 8;
const MIB = 1024 * 1024;
const run = promisify(execFile);

async function temporaryDirectory(): Promise<string> {
  const directory = await makeScratchDirectory();
  onTestFinished(() => rm(directory, { recursive: true, force: true, maxRetries: 3 }));
  return directory;
}

/** A file system in memory; skips the test if this user may not mount one. */
async function mountSmallDisk(megabytes: number, skip: (note: string) => never): Promise<string> {
  const directory = await temporaryDirectory();
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', directory]);
  } catch {
    return skip('this user may mount no file system');
  }
  onTestFinished(async () => void (await run('umount', ['--lazy', directory])));
  return directory;
}

/** Fills a disk to its last byte. */
async function fill(file: string): Promise<void> {
  const stream = createWriteStream(file);
  const failed = once(stream, 'error');
  const block = Buffer.alloc(MIB, 1);
  const write = () => {
    while (stream.write(block));
  };
  stream.on('drain', write);
  write();
  const [error] = (await failed) as [NodeJS.ErrnoException];
  expect(error.code).toBe('ENOSPC');
}

async function postmasterPid(dataDirectory: string): Promise<number> {
  return Number.parseInt(await readFile(path.join(dataDirectory, 'postgres/postmaster.pid'), 'utf8'), 10);
}

async function ask(url: string): Promise<{ status: number; detail?: string }> {
  const answer = await fetch(url);
  const { detail } = (await answer.json()) as { detail?: string };
  return { status: answer.status, ...(detail !== undefined && { detail }) };
}

describe('the service with its embedded database', () => {
  beforeAll(buildServer, BUILD_TIMEOUT_MS);

  it(
    'recovers by itself after PostgreSQL was killed, with every acknowledged event exactly once',
    async () => {
      const directory = await createDataDirectory();
      const program = await startUntilEnd(directory);
      const { api, project } = await signUpAt(program);
      const load = startLoad(program.ingestionUrl, project.apiKey, SENDERS);
      await load.reached(500);
      const killed = await postmasterPid(directory);
      process.kill(killed, 'SIGKILL');
      await waitFor('the outage to be reported', async () => {
        const { status, detail } = await ask(`${program.managementUrl}/readyz`);
        return status === 503 && detail === 'PostgreSQL is being restarted.';
      });
      expect((await ask(`${program.managementUrl}/livez`)).status).toBe(200);
      await waitFor(
        'PostgreSQL to run again',
        async () => (await ask(`${program.ingestionUrl}/readyz`)).status === 200,
        60_000,
      );
      expect(await postmasterPid(directory)).not.toBe(killed);
      await load.reached(load.jobIds.length + 500);
      await load.stop();
      expect([load.unexpected, load.failures]).toEqual([[], []]);
      await expectExactlyOnce(program, api, project.id, load.jobIds);
      const metrics = await (await fetch(`${program.managementUrl}/metrics`)).text();
      expect(metrics).toMatch(/^tocsin_postgres_restarts_total 1$/m);
    },
    TEST_TIMEOUT_MS,
  );

  it(
    'refuses events while its disk is full, recovers from a crash there, and goes on once there is room',
    async ({ skip }) => {
      const disk = await mountSmallDisk(1_000, skip);
      const directory = path.join(disk, 'data');
      const ballast = path.join(directory, 'ballast');
      await fillDataDirectory(directory);
      const program = await startUntilEnd(directory);
      const { api, project } = await signUpAt(program);
      await waitFor('the reserve', () => existsSync(ballast));
      const load = startLoad(program.ingestionUrl, project.apiKey, SENDERS);
      await load.reached(500);

      const full = 'The disk is nearly full: no events are accepted until it has room.';
      await fill(path.join(disk, 'filler'));
      await waitFor(
        'intake to be refused',
        async () => (await ask(`${program.ingestionUrl}/readyz`)).detail === full,
      );
      await load.stop();
      expect([load.unexpected, load.failures]).toEqual([[], []]);
      await waitFor('a read', async () => (await api.get('/projects')).status === 200);

      process.kill(await postmasterPid(directory), 'SIGKILL');
      await waitFor(
        'PostgreSQL to recover in the room of the reserve',
        async () => !existsSync(ballast) && (await ask(`${program.managementUrl}/readyz`)).status === 200,
        60_000,
      );
      expect(await ask(`${program.ingestionUrl}/readyz`)).toEqual({ status: 503, detail: full });

      await rm(path.join(disk, 'filler'));
      const again = startLoad(program.ingestionUrl, project.apiKey, SENDERS);
      await again.reached(500);
      await again.stop();
      await expectExactlyOnce(program, api, project.id, [...load.jobIds, ...again.jobIds]);
      await waitFor('the reserve to be kept again', () => existsSync(ballast));
    },
    TEST_TIMEOUT_MS,
  );

  it(
    'starts on a full disk, serves people, and takes events once there is room',
    async ({ skip }) => {
      const disk = await mountSmallDisk(1_000, skip);
      const directory = path.join(disk, 'data');
      await fillDataDirectory(directory);
      const first = await startProgram(directory);
      const { api, project } = await signUpAt(first);
      await waitFor('the reserve', () => existsSync(path.join(directory, 'ballast')));
      first.signal('SIGKILL');
      await first.ended;
      process.kill(await postmasterPid(directory), 'SIGKILL');
      await fill(path.join(disk, 'filler'));
      expect((await statfs(disk)).bavail).toBe(0);

      const second = await startUntilEnd(directory);
      expect((await clientOf(second, api.cookie).get('/projects')).status).toBe(200);
      const headers = { 'x-api-key': project.apiKey, 'content-type': 'application/json' };
      const send = () =>
        fetch(`${second.ingestionUrl}/ingest/events`, {
          method: 'POST',
          headers,
          body: JSON.stringify({ type: 'order', severity: 'INFO', message: 'Order 48213 was paid' }),
        });
      const refused = await send();
      expect(refused.status).toBe(503);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(((await refused.json()) as { detail: string }).detail).toMatch(/^The disk is nearly full/);
      await rm(path.join(disk, 'filler'));
      await waitFor('events to be taken', async () => (await send()).status === 202);
    },
    TEST_TIMEOUT_MS,
  );
});
