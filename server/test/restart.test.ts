import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { makeScratchDirectory } from '@tocsin/simulation/scratch';
import { beforeAll, describe, expect, it } from 'vitest';
import { atEnd } from './support/at-end.ts';
import { createDataDirectory } from './support/data-directory.ts';
import { expectExactlyOnce, signUpAt } from './support/exactly-once.ts';
import { startLoad } from './support/load.ts';
import {
  BUILD_TIMEOUT_MS,
  buildServer,
  type ProgramOptions,
  runCommand,
  startUntilEnd,
} from './support/program.ts';
import { scaled } from './support/time-scale.ts';

const SENDERS = 6;
const TEST_TIMEOUT_MS = scaled(180_000);

describe.skipIf(process.platform === 'win32')('tocsin restart', () => {
  beforeAll(buildServer, BUILD_TIMEOUT_MS);

  it(
    'refuses no connection, cuts no request, and stores each event once, with sockets of systemd and restart after restart',
    async () => {
      const sockets = [createServer(), createServer()] as const;
      for (const socket of sockets) await once(socket.listen(0, '127.0.0.1'), 'listening');
      const { program, restart } = await start({ sockets: [...sockets] });
      const { api, project } = await signUpAt(program);
      const loads = [true, false].map((keepAlive) =>
        startLoad(program.ingestionUrl, project.apiKey, SENDERS, keepAlive),
      );
      const pids = new Set<string>();
      for (let round = 1; round <= 2; round++) {
        for (const load of loads) await load.reached(100 * round);
        const { stdout, stderr } = await restart();
        expect(stderr).toBe('');
        pids.add(/^Process (\d+) serves now\.\n$/.exec(stdout)?.[1] ?? stdout);
      }
      expect(pids.size).toBe(2);
      for (const load of loads) await load.reached(load.jobIds.length + 100);
      for (const load of loads) await load.stop();
      for (const { failures, unavailable, unexpected } of loads)
        expect({ failures, unavailable, unexpected }).toEqual({
          failures: [],
          unavailable: [],
          unexpected: [],
        });

      const jobIds = loads.flatMap((load) => load.jobIds);
      // Nothing is stored that was not acknowledged.
      expect(await expectExactlyOnce(program, api, project.id, jobIds)).toBe(jobIds.length);
      program.signal('SIGTERM');
      expect(await program.ended).toBe(0);
      await expect(fetch(`${program.managementUrl}/livez`)).rejects.toThrow();
    },
    TEST_TIMEOUT_MS,
  );

  it(
    'goes on with the old process if the new one does not start, and ends with the one that serves',
    async () => {
      const secret = join(await makeDirectory(), 'secret');
      await writeFile(secret, 'a-secret-of-tests-that-protects-nothing');
      const { program, restart, dataDirectory } = await start({
        environment: { SESSION_SECRET_FILE: secret },
      });
      await rm(secret);
      const failed = await restart();
      expect(failed).toMatchObject({ exitCode: 1, stdout: '' });
      expect(failed.stderr).toMatch(/^The service goes on as process \d+, since the new one failed: /);
      expect((await fetch(`${program.ingestionUrl}/readyz`)).status).toBe(200);

      await writeFile(secret, 'a-secret-of-tests-that-protects-nothing');
      expect((await restart()).stderr).toBe('');
      const { servingPid } = JSON.parse(await readFile(join(dataDirectory, 'service.json'), 'utf8'));
      process.kill(servingPid, 'SIGKILL');
      expect(await program.ended).toBe(1);
      expect((await restart()).stderr).toMatch(/^No service that is seen from here uses /);
    },
    TEST_TIMEOUT_MS,
  );
});

async function makeDirectory(): Promise<string> {
  const directory = await makeScratchDirectory();
  atEnd(() => rm(directory, { recursive: true, force: true, maxRetries: 3 }));
  return directory;
}

async function start(options: ProgramOptions) {
  const dataDirectory = await createDataDirectory();
  const program = await startUntilEnd(dataDirectory, options);
  const restart = () =>
    runCommand(['restart'], { environment: { DATABASE_URL: '', DATA_DIR: dataDirectory } });
  return { program, restart, dataDirectory };
}
