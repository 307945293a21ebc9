import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { createDataDirectory } from './support/data-directory.ts';
import { BUILD_TIMEOUT_MS, buildServer, findFreePort } from './support/program.ts';
import { scaled } from './support/time-scale.ts';
import { waitFor } from './support/wait.ts';

const PROGRAM = fileURLToPath(new URL('../bin/tocsin.js', import.meta.url));
const CLIENTS = 600;

describe.skipIf(process.platform !== 'linux')('the file descriptors of the service', () => {
  beforeAll(buildServer, BUILD_TIMEOUT_MS);

  /** Runs the service where no more files may be open. */
  const command = (limit: number) => [
    '-c',
    `ulimit -n ${limit}; exec "$0" "$@"`,
    process.execPath,
    PROGRAM,
    'start',
  ];

  it('refuses to start with too few, in a sentence', async () => {
    const failed = promisify(execFile)('sh', command(511), { env: { ...process.env, DATABASE_URL: '' } });
    await expect(failed).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^[^\n]*This process may open 511 files, and needs 512 at least: [^\n]*\n$/,
      ),
    });
  });

  it(
    'answers at management while idle clients of ingestion hold all that it gives them',
    async () => {
      const directory = await createDataDirectory();
      const [port, ingestPort] = [await findFreePort(), await findFreePort()];
      const service = spawn('sh', command(512), {
        env: {
          ...process.env,
          DATABASE_URL: '',
          DATA_DIR: directory,
          HOST: '127.0.0.1',
          PORT: String(port),
          INGEST_PORT: String(ingestPort),
          LOG_LEVEL: 'fatal',
        },
        stdio: 'ignore',
      });
      const ended = once(service, 'exit');
      const clients: Socket[] = [];
      try {
        const livez = async () => (await fetch(`http://127.0.0.1:${port}/livez`).catch(() => null))?.status;
        await waitFor('the service', async () => (await livez()) === 200, 60_000);
        for (let count = 0; count < CLIENTS; count++)
          clients.push(connect(ingestPort, '127.0.0.1').on('error', () => {}));
        // It accepts what it may hold, and closes the others.
        const left = () => clients.filter(({ closed }) => !closed).length;
        await waitFor('the others to be closed', () => left() < 300, 30_000);
        expect(left()).toBeGreaterThan(200);
        expect(await livez()).toBe(200);
      } finally {
        for (const client of clients) client.destroy();
        service.kill('SIGTERM');
        await ended;
      }
    },
    scaled(120_000),
  );
});
