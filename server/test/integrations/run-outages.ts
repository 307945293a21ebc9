import { execFile } from 'node:child_process';
import { cp, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { makeScratchDirectory } from '@tocsin/simulation/scratch';
import { beforeAll, describe, expect, it } from 'vitest';
import { toDsn } from '../../src/tenancy/dsn.ts';
import { atEnd } from '../support/at-end.ts';
import { readAll } from '../support/client.ts';
import { createTestDatabase } from '../support/database.ts';
import { signUpAt } from '../support/exactly-once.ts';
import { startDatabaseProxy } from '../support/network-proxy.ts';
import {
  BUILD_TIMEOUT_MS,
  buildServer,
  type RunningProgram,
  runCommand,
  startUntilEnd,
} from '../support/program.ts';
import { scaled } from '../support/time-scale.ts';
import { waitFor } from '../support/wait.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

const CLIENTS = ['sentry-node-7', 'sentry-node-10', 'sentry-node-11'];
const ERRORS = 1_000;
const INTERVAL_MS = 100;
const TEST_TIMEOUT_MS = scaled(400_000);

/** Fate of the errors of a client. */
interface ClientLedger {
  client: string;
  reported: number;
  stored: number;
  lost: number;
  twice: number;
  /** Number of errors that the client says it dropped, by its reason. */
  dropped: Record<string, number>;
}

/*
 * Clients that never send an event again, over everything that may happen to the service. The ledgers are printed.
 */
describe('clients of Sentry that report 1,000 errors, 10 a second', async () => {
  const directory = await makeScratchDirectory();
  atEnd(() => rm(directory, { recursive: true, force: true, maxRetries: 3 }));

  beforeAll(async () => {
    await buildServer();
    await cp(path.join(ROOT, 'clients'), directory, { recursive: true });
    await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: directory });
  }, BUILD_TIMEOUT_MS * 2);

  it(
    'lose nothing and store nothing twice over two restarts and a kill -9 of PostgreSQL',
    async () => {
      const dataDirectory = path.join(directory, 'restarts');
      const program = await startUntilEnd(dataDirectory);
      const restart = async () => {
        const environment = { DATABASE_URL: '', DATA_DIR: dataDirectory };
        expect((await runCommand(['restart'], { environment })).stderr).toBe('');
      };
      const clients = await startClients(program, () => program.ingestionUrl);
      await delay(15_000);
      await restart();
      await delay(15_000);
      const [postmaster] = (
        await readFile(path.join(dataDirectory, 'postgres/postmaster.pid'), 'utf8')
      ).split('\n');
      process.kill(Number(postmaster), 'SIGKILL');
      await delay(30_000);
      await restart();
      await clients.expectAllOnce();
    },
    TEST_TIMEOUT_MS,
  );

  it(
    'lose nothing and store nothing twice over 60 s without PostgreSQL and a kill -9 of two ingestion processes while they drain',
    async () => {
      const database = await createTestDatabase();
      const proxy = await startDatabaseProxy(database.connectionString);
      const environment = {
        DATABASE_URL: proxy.url,
        SPOOL_DIR: path.join(directory, 'spool'),
        LOG_LEVEL: 'fatal',
      };
      const dataDirectory = path.join(directory, 'unused');
      const startIngestion = () => startUntilEnd(dataDirectory, { environment, roles: ['ingestion'] });
      const program = await startUntilEnd(dataDirectory, { environment, roles: ['management', 'worker'] });
      const ingestion = [await startIngestion(), await startIngestion()];
      const clients = await startClients(program, (index) => ingestion[index % 2]?.ingestionUrl ?? '');
      await delay(35_000);
      proxy.refuse();
      await clients.ended;
      const countClaims = async () => {
        const { rows } = await database.pool.query<{ count: string }>('SELECT count(*) FROM claims');
        return Number(rows[0]?.count);
      };
      const before = await countClaims();
      proxy.restore();
      await waitFor('the first events to be drained', async () => (await countClaims()) > before);
      for (const { signal } of ingestion) signal('SIGKILL');
      for (const { ended } of ingestion) await ended;
      await startIngestion();
      await clients.expectAllOnce();
    },
    TEST_TIMEOUT_MS,
  );

  /** Starts each client with a project of its own. @param urlOf ingestion of the client of this index */
  async function startClients(program: RunningProgram, urlOf: (index: number) => string) {
    const { api } = await signUpAt(program);
    const reports = await Promise.all(
      CLIENTS.map(async (client, index) => {
        const { apiKey, id, number } = (await api.post('/projects', { name: client })).body;
        const ended = run('node', ['sentry/load.mjs', client, String(ERRORS), String(INTERVAL_MS)], {
          cwd: directory,
          env: { PATH: process.env['PATH'], SENTRY_DSN: toDsn(urlOf(index), apiKey, number) },
        });
        return { client, id: id as string, ended };
      }),
    );
    const ended = Promise.all(reports.map((report) => report.ended));
    ended.catch(() => {});

    const readLedger = async ({ client, id, ended }: (typeof reports)[number]): Promise<ClientLedger> => {
      const { lost: dropped } = JSON.parse((await ended).stdout) as { lost: Record<string, number> };
      const messages: string[] = (await readAll(api, `/events?project_id=${id}&limit=500`)).map(
        ({ message }) => message,
      );
      const stored = new Set(messages);
      return {
        client,
        reported: ERRORS,
        stored: messages.length,
        lost: ERRORS - stored.size,
        twice: messages.length - stored.size,
        dropped,
      };
    };
    const expectAllOnce = async () => {
      await ended;
      await waitFor(
        'all to be stored',
        async () => {
          const { body } = await api.get('/organizations/ledger');
          return body.onDisk === 0 && body.queued === 0 && body.stored >= ERRORS * CLIENTS.length;
        },
        120_000,
      ).catch(() => {});
      const ledgers = await Promise.all(reports.map(readLedger));
      process.stdout.write(`${ledgers.map((ledger) => JSON.stringify(ledger)).join('\n')}\n`);
      expect(ledgers).toEqual(
        CLIENTS.map((client) => ({
          client,
          reported: ERRORS,
          stored: ERRORS,
          lost: 0,
          twice: 0,
          dropped: {},
        })),
      );
    };
    return { ended, expectAllOnce };
  }
});
