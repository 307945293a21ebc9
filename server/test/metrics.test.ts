import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { upsertBackupTime } from '../src/backup/time-queries.ts';
import { createPool } from '../src/database/database.ts';
import { readMigrations } from '../src/database/migrations.ts';
import { registerHealthRoutes } from '../src/http/health.ts';
import { findDatabaseTime } from '../src/maintenance/maintenance-queries.ts';
import { IdLowerBound } from '../src/queue/id-lower-bound.ts';
import { createMetrics } from '../src/roles/metrics.ts';
import { observeQueue, observeStore } from '../src/roles/observe.ts';
import { anEvent } from './ingestion/support.ts';
import { createTestDatabase } from './support/database.ts';
import { createTestApp } from './support/http-app.ts';
import { startTestService } from './support/service.ts';
import { waitFor } from './support/wait.ts';

const read = async (url: string) => (await fetch(`${url}/metrics`)).text();
/** Returns the value of a series by its name and labels; undefined if it is absent. */
const valueOf = (text: string, series: string) =>
  text
    .split('\n')
    .find((line) => line.startsWith(`${series} `))
    ?.slice(series.length + 1);

describe('the metrics of a process', () => {
  it('exposes the age of the queue by ingestion in a process without a worker', async () => {
    const database = await createTestDatabase();
    const before = await startTestService({ database, roles: ['ingestion', 'management'] });
    const { ingest } = await (await before.signUp()).createProject();
    expect((await ingest.post('/ingest/events', anEvent())).status).toBe(202);
    await before.stop();
    const service = await startTestService({ database, roles: ['ingestion'] });
    await waitFor('the queue to be observed', async () => {
      service.wake('observing intake');
      const text = await read(service.ingestionUrl);
      return (
        valueOf(text, 'tocsin_queue_batches') === '1' && Number(valueOf(text, 'tocsin_queue_age_seconds')) > 0
      );
    });
  });

  it('omits the metrics of another role, rather than exposing 0', async () => {
    const management = await startTestService({ roles: ['management'] });
    const text = await read(management.managementUrl);
    const absent = ['queue_batches', 'queue_age_seconds', 'events_processed_total', 'risk_leader'];
    expect(absent.filter((name) => text.includes(`tocsin_${name}`))).toEqual([]);
    expect(valueOf(text, 'tocsin_websocket_clients')).toBe('0');
    expect(valueOf(text, 'tocsin_incidents_created_total{origin="manual"}')).toBe('0');
    expect(text).not.toContain('origin="risk"');
  });

  it('exposes 0 for each result at first, and all metrics of loops, pools, detection, partitions, backups and the build', async () => {
    const service = await startTestService({ own: true });
    await upsertBackupTime(service.database.pool);
    let text = '';
    await waitFor('everything to be observed', async () => {
      text = await read(service.managementUrl);
      return valueOf(text, 'tocsin_risk_leader') === '1' && !/^tocsin_partition_weeks_ahead 0$/m.test(text);
    });
    for (const result of ['stored', 'sampled', 'duplicate', 'dead', 'dropped'])
      expect(valueOf(text, `tocsin_events_processed_total{result="${result}"}`)).toBe('0');
    for (const result of ['created', 'folded', 'regressed'])
      expect(valueOf(text, `tocsin_groups_total{result="${result}"}`)).toBe('0');
    for (const status of ['in_progress', 'ok', 'error', 'missed', 'timed_out', 'unknown'])
      expect(valueOf(text, `tocsin_check_ins_total{status="${status}"}`)).toBe('0');
    for (const loop of ['processing', 'risk', 'maintenance', 'presence', 'incident frames']) {
      expect(valueOf(text, `tocsin_loop_failures_total{loop="${loop}"}`), loop).toBe('0');
      expect(Number(valueOf(text, `tocsin_loop_success_age_seconds{loop="${loop}"}`)), loop).toBeLessThan(
        600,
      );
    }
    expect(valueOf(text, 'tocsin_pool_max_connections{pool="tocsin-worker"}')).toBe('6');
    expect(valueOf(text, 'tocsin_pool_waiting{pool="tocsin-ingestion"}')).toBe('0');
    expect(Number(valueOf(text, 'tocsin_risk_lag_seconds'))).toBeLessThan(600);
    expect(Number(valueOf(text, 'tocsin_partition_weeks_ahead'))).toBeGreaterThanOrEqual(1);
    expect(valueOf(text, 'tocsin_dead_letters')).toBe('0');
    const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'));
    const schema = (await readMigrations()).at(-1)?.version;
    expect(valueOf(text, `tocsin_build_info{version="${version}",schema="${schema}"}`)).toBe('1');
  });

  it('exposes the age of the last backup, and the absence of one', async () => {
    const { pool } = await createTestDatabase();
    const metrics = createMetrics();
    const observe = async () => {
      await observeStore(pool, await findDatabaseTime(pool), metrics);
      return Number((await metrics.backupAgeSeconds.get()).values[0]?.value);
    };
    expect(await observe()).toBe(Number.POSITIVE_INFINITY);
    await upsertBackupTime(pool);
    await pool.query(`UPDATE settings SET value = (value::numeric - 3600)::text WHERE name = 'last_backup'`);
    expect(Math.floor((await observe()) / 60)).toBe(60);
    await upsertBackupTime(pool);
    expect(await observe()).toBeLessThan(600);
  });

  it('exposes NaN after a failed observation, since the last value would hide the failure', async () => {
    const metrics = createMetrics();
    metrics.queueAgeSeconds.set(3);
    const unreachable = createPool({
      connection: { connectionString: 'postgres://nobody@127.0.0.1:1/none' },
      applicationName: 'tocsin-test',
      maxConnections: 1,
      onError: () => {},
    });
    await expect(observeQueue(unreachable, new IdLowerBound(), metrics)).rejects.toThrow();
    await unreachable.end();
    const text = await metrics.toText();
    expect(valueOf(text, 'tocsin_queue_age_seconds')).toBe('Nan');
    expect(valueOf(text, 'tocsin_queue_batches')).toBe('Nan');
  });

  it('exposes NaN for every observation of a worker while all of them fail', async () => {
    const database = await createTestDatabase();
    for (const table of ['live_tail_watchers', 'queue', 'risk_inbox'])
      await database.pool.query(`ALTER TABLE ${table} RENAME TO ${table}_gone`);
    const { context } = await startTestService({ database, roles: ['worker'] });
    const names = ['queue_batches', 'queue_age_seconds', 'risk_inbox_batches', 'risk_lag_seconds'];
    await waitFor('all values to be unknown', async () => {
      const text = await context.metrics.toText();
      return names.every((name) => valueOf(text, `tocsin_${name}`) === 'Nan');
    });
  });

  it('counts the failed rounds of a loop', async () => {
    const { loops, toText } = createMetrics();
    loops.add('maintenance');
    loops.recordFailure('maintenance');
    loops.recordFailure('maintenance');
    expect(valueOf(await toText(), 'tocsin_loop_failures_total{loop="maintenance"}')).toBe('2');
  });
});

describe('the port for operators', () => {
  it('moves the metrics from both public ports to the metrics port', async () => {
    const service = await startTestService({ environment: { METRICS_PORT: '0' } });
    const { managementUrl, ingestionUrl, metricsUrl } = service;
    for (const url of [managementUrl, ingestionUrl]) {
      const answer = await fetch(`${url}/metrics`);
      expect(answer.status).toBe(404);
      expect(await answer.json()).toMatchObject({ code: 'not_found' });
    }
    for (const url of [managementUrl, ingestionUrl, metricsUrl ?? '']) {
      expect((await fetch(`${url}/livez`)).status).toBe(200);
      expect((await fetch(`${url}/readyz`)).status).toBe(200);
    }
    expect(await read(metricsUrl ?? '')).toContain('tocsin_build_info{');
  });

  it('exposes metrics on both public ports if no metrics port is set', async () => {
    const service = await startTestService({ roles: ['ingestion', 'management'] });
    expect(service.metricsUrl).toBeNull();
    for (const url of [service.managementUrl, service.ingestionUrl])
      expect((await fetch(`${url}/metrics`)).status).toBe(200);
  });
});

describe('many probes at once', async () => {
  const { pool } = await createTestDatabase();
  const metrics = createMetrics();
  let rendered = 0;
  const toText = async () => `${++rendered}`;
  const app = await createTestApp({ service: 'metrics', metrics });
  let queries = 0;
  const counting = Object.assign(Object.create(pool), {
    query: (...parameters: Parameters<typeof pool.query>) => {
      queries++;
      return pool.query(...parameters);
    },
  });
  registerHealthRoutes(
    app,
    counting,
    { toText, contentType: 'text/plain' },
    {
      findObstacle: () => null,
      // A failure leaves the metric out, and does not affect readiness.
      countFailingTargets: () => Promise.reject(new Error('The table is locked.')),
      servesMetrics: true,
    },
  );

  it('checks the database once for many concurrent probes', async () => {
    const probe = () => app.inject({ method: 'GET', url: '/readyz' });
    await Promise.all(Array.from({ length: 50 }, probe));
    const once = queries;
    expect(once).toBeGreaterThan(0);
    const answers = await Promise.all(Array.from({ length: 50 }, probe));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array.from({ length: 50 }, () => 200));
    expect(answers[0]?.json()).toEqual({ status: 'ok' });
    // The second fifty may come more than a second later on a busy machine.
    expect(queries).toBeLessThanOrEqual(2 * once);
  });

  it('renders the metrics once for many concurrent probes', async () => {
    const texts = await Promise.all(Array.from({ length: 50 }, () => metrics.toText()));
    expect(new Set(texts).size).toBe(1);
  });
});
