import { setTimeout as delay } from 'node:timers/promises';
import { post } from '../support/load.ts';
import { median } from '../support/median.ts';
import { createProjectIn } from '../support/processes.ts';
import { EVENT } from '../table/event.ts';
import type { Options, Row } from '../table/row.ts';
import { sendBulk } from '../table/send-bulk.ts';
import { startRolesApart } from './roles-apart.ts';

const PROJECTS = 10;
const CONNECTIONS_EACH = 6;
const BULK_EVENTS = 60_000;
const POLL_MS = 10;

type Service = Awaited<ReturnType<typeof startRolesApart>>;

interface Drain {
  seconds: number;
  /** CPU of PostgreSQL an event, in µs. */
  micros: number;
  /** Samples of the storing statement, and those in which it waits for a lock. */
  samples: number;
  waits: number;
  /** Moments with a storing statement, and those with two. */
  moments: number;
  both: number;
}

/** Compares two workers with one, in turn, on the same queue: what the second one adds, and for what it waits. */
export async function measureWorkers({ rounds, seconds, log }: Options): Promise<Row[]> {
  const service = await startRolesApart(2);
  const keys = [service.project.apiKey];
  while (keys.length < PROJECTS) {
    const name = `Project ${keys.length}`;
    keys.push((await createProjectIn(service.managementUrl, service.project.cookie, name)).apiKey);
  }
  const url = `${service.ingestionUrl}/ingest/events`;
  const kinds = [
    {
      what: `events of ${PROJECTS} projects, mixed in each commit`,
      send: async () => {
        const load = { url, body: EVENT, connections: CONNECTIONS_EACH, seconds };
        await Promise.all(keys.map((apiKey) => post({ ...load, apiKey })));
      },
    },
    {
      what: 'bodies of 500 of one project',
      send: () => sendBulk(service.ingestionUrl, service.project.apiKey, BULK_EVENTS),
    },
  ];
  const rows: Row[] = [];
  for (const { what, send } of kinds) {
    const measured = { one: [] as Drain[], two: [] as Drain[] };
    await drainBy(service, 1, send);
    for (let round = 0; round < rounds; round++) {
      measured.one.push(await drainBy(service, 1, send));
      measured.two.push(await drainBy(service, 2, send));
      for (const [name, drains] of Object.entries(measured))
        log(`workers, ${name}, ${what}: ${JSON.stringify(drains.at(-1))}`);
    }
    rows.push(...rowsOf(what, measured));
  }
  await service.stop();
  return rows;
}

async function drainBy(service: Service, workers: number, send: () => Promise<void>): Promise<Drain> {
  const { client } = service;
  service.pauseWorkers();
  // A stopped process would not end where the load fails.
  await send().catch((error: unknown) => {
    service.continueWorkers();
    throw error;
  });
  const { rows } = await client.query<{ events: number }>(
    `SELECT sum((delta.value ->> 'accepted')::bigint)::int AS events FROM queue CROSS JOIN jsonb_each(deltas) AS delta`,
  );
  const [before, startedAt] = [await service.read(), performance.now()];
  service.continueWorkers(workers);
  const drain = { samples: 0, waits: 0, moments: 0, both: 0 };
  for (let hasMore = true; hasMore; await delay(POLL_MS)) {
    const { rows: storing } = await client.query<{ waits: boolean }>(
      `SELECT wait_event_type IS NOT DISTINCT FROM 'Lock' AS waits FROM pg_stat_activity
        WHERE application_name LIKE 'tocsin-worker%' AND state = 'active' AND query LIKE 'WITH locked_batches%'`,
    );
    drain.samples += storing.length;
    drain.waits += storing.filter(({ waits }) => waits).length;
    if (storing.length > 0) drain.moments++;
    if (storing.length > 1) drain.both++;
    const { rows: left } = await client.query<{ hasMore: boolean }>(
      'SELECT EXISTS (SELECT FROM queue) AS "hasMore"',
    );
    hasMore = left[0]?.hasMore ?? false;
  }
  const elapsedMs = performance.now() - startedAt;
  const after = await service.read();
  service.continueWorkers();
  const micros = (after.postgres - before.postgres) / (rows[0]?.events ?? 0);
  return { ...drain, micros, seconds: elapsedMs / 1_000 };
}

function rowsOf(what: string, { one, two }: Record<'one' | 'two', Drain[]>): Row[] {
  const sum = (field: 'samples' | 'waits' | 'moments' | 'both') =>
    two.reduce((total, drain) => total + drain[field], 0);
  const ratio = (field: 'micros' | 'seconds') =>
    median(two.map((drain, round) => drain[field] / (one[round]?.[field] ?? Number.NaN)));
  return [
    {
      what: `Two workers, ${what}: time to store them, over one`,
      value: ratio('seconds'),
      unit: '×',
      bar: null,
      detail: 'by the clock; two cores have PostgreSQL and both workers',
    },
    {
      what: '… CPU of PostgreSQL an event, over one',
      value: ratio('micros'),
      unit: '×',
      bar: { atMost: 1.05 },
      detail: `${median(two.map(({ micros }) => micros)).toFixed(1)} over ${median(one.map(({ micros }) => micros)).toFixed(1)} µs`,
    },
    {
      what: '… samples in which storing waits for a lock',
      value: (100 * sum('waits')) / sum('samples'),
      unit: '%',
      bar: { atMost: 2 },
      detail: `${sum('waits')} of ${sum('samples')}; both store in ${sum('both')} of ${sum('moments')}`,
    },
  ];
}
