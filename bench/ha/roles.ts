import { execFile, spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { ROOT } from '../support/root.ts';
import { startFlags } from '../support/start-flags.ts';
import { Client } from './client.ts';

const PAUSE_MS = 250;
export const DATABASE_URL = 'postgres://tocsin:tocsin@127.0.0.1:5000/tocsin';

/** Two processes of each role, by the port on which their metrics are. */
const PROCESSES = [
  { name: 'management-1', port: 4001, metricsPort: 4301 },
  { name: 'management-2', port: 4002, metricsPort: 4302 },
  { name: 'ingestion-1', port: 4101, metricsPort: 4303 },
  { name: 'ingestion-2', port: 4102, metricsPort: 4304 },
  { name: 'worker-1', port: 4201, metricsPort: 4305 },
  { name: 'worker-2', port: 4202, metricsPort: 4306 },
] as const;

const clientsOf = (role: string) =>
  PROCESSES.filter(({ name }) => name.startsWith(role)).map(({ port }) => new Client(port));

/** The processes of Tocsin, and clients of them. */
export class Tocsin {
  readonly management = clientsOf('management');
  readonly ingestion = clientsOf('ingestion');
  readonly ended: string[] = [];

  /** @param logs directory for the output of each process */
  async start(logs: string): Promise<void> {
    const [first, ...others] = PROCESSES;
    this.#spawn(first, logs);
    // It migrates the database.
    await this.#isReady(first.metricsPort);
    for (const each of others) this.#spawn(each, logs);
    await Promise.all(others.map(({ metricsPort }) => this.#isReady(metricsPort)));
  }

  /** Reads a metric of all processes that have it, by their names. */
  async readMetric(metric: string): Promise<Map<string, number>> {
    const values = new Map<string, number>();
    for (const { name, metricsPort } of PROCESSES) {
      const answer = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
      const value = new RegExp(`^${metric}(?:{.*})? (\\S+)$`, 'm').exec(await answer.text())?.[1];
      if (value !== undefined) values.set(name, Number(value));
    }
    return values;
  }

  /** Makes the processes take an old primary as it is, as an operator does it. */
  async acceptDatabase(): Promise<void> {
    await promisify(execFile)(process.execPath, ['server/bin/tocsin.js', 'accept-database'], {
      cwd: ROOT,
      env: { ...process.env, DATABASE_URL },
    });
  }

  async #isReady(metricsPort: number): Promise<void> {
    const client = new Client(metricsPort);
    while ((await client.send('/readyz')).status !== 200) {
      if (this.ended.length > 0) throw new Error(this.ended.join(', '));
      await delay(PAUSE_MS);
    }
  }

  #spawn({ name, port, metricsPort }: (typeof PROCESSES)[number], logs: string): void {
    const log = openSync(path.join(logs, `${name}.log`), 'a');
    const role = name.replace(/-\d$/, '');
    const child = spawn(process.execPath, [...startFlags(), 'server/bin/tocsin.js', 'start', role], {
      cwd: ROOT,
      stdio: ['ignore', log, log],
      env: {
        ...process.env,
        DATABASE_URL,
        REQUIRE_DATABASE_URL: 'true',
        SESSION_SECRET: 's'.repeat(40),
        ENCRYPTION_KEY: 'k'.repeat(40),
        [role === 'ingestion' ? 'INGEST_PORT' : 'PORT']: String(port),
        METRICS_PORT: String(metricsPort),
      },
    });
    child.once('exit', (code, signal) => this.ended.push(`${name} ended with ${code ?? signal}`));
  }
}
