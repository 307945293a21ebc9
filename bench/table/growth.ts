import { readCpu } from '../support/cpu.ts';
import { connect } from '../support/database.ts';
import { post } from '../support/load.ts';
import { median } from '../support/median.ts';
import { createProjectIn, startService } from '../support/processes.ts';
import { ACCOUNT } from '../support/queries-account.ts';
import { drain } from './drain.ts';
import { EVENT } from './event.ts';
import type { Options, Row } from './row.ts';

const CONNECTIONS = 64;
const WARM_UP_SECONDS = 3;
const READS = 15;
const DAY_MS = 86_400_000;

/** Each is read by all projects of the organization. */
const READ = {
  'first page of 50 events': () => '/events?limit=50',
  'first page of 500 events': () => '/events?limit=500',
  'histogram of 24 hours': () => `/events/histogram?from=${ago(1)}&to=${ago(0)}`,
  'histogram of 7 days': () => `/events/histogram?from=${ago(7)}&to=${ago(0)}`,
} as const;
type ReadName = keyof typeof READ;

interface Round extends Record<ReadName, number> {
  rate: number;
  micros: number;
}

/**
 * The same figures beside fewer and more stored events, in turn: data directories that `npm run bench:queries` has filled,
 * the smallest first. The loads are added to them.
 */
export async function measureGrowth({ rounds, seconds, data, log }: Options): Promise<Row[]> {
  const stores = [];
  for (const directory of data) stores.push(await open(directory));
  stores.sort((left, right) => left.events - right.events);
  for (const { load } of stores) await load(WARM_UP_SECONDS);
  const measured = stores.map((store) => ({ store, rounds: [] as Round[] }));
  for (let round = 0; round < rounds; round++)
    for (const { store, rounds: figures } of measured) {
      const figure = { ...(await readAll(store.get)), ...(await store.load(seconds)) };
      figures.push(figure);
      log(
        `${store.events} events: ${Math.round(figure.rate)}/s, ${figure.micros.toFixed(1)} µs of CPU an event, ` +
          Object.keys(READ)
            // The keys of READ are its names.
            .map((name) => `${name} ${figure[name as ReadName].toFixed(1)} ms`)
            .join(', '),
      );
    }
  for (const { stop } of stores) await stop();
  const [smallest] = measured;
  if (!smallest) return [];
  const row = (field: keyof Round, bar: Row['bar'], what: string, unit: string): Row[] =>
    measured.slice(1).map(({ store, rounds: figures }) => ({
      what: `${what}, ${count(store.events)} events stored over ${count(smallest.store.events)}`,
      value: median(
        figures.map((figure, round) => figure[field] / (smallest.rounds[round]?.[field] ?? Number.NaN)),
      ),
      unit: '×',
      bar,
      detail: `${median(figures.map((figure) => figure[field])).toFixed(1)} over ${median(smallest.rounds.map((figure) => figure[field])).toFixed(1)} ${unit}`,
    }));
  return [
    ...row('rate', { atLeast: 0.9 }, `Single events at ${CONNECTIONS} connections`, 'a second'),
    ...row('micros', { atMost: 1.1 }, '… CPU of all processes, an event', 'µs'),
    // The keys of READ are its names.
    ...(Object.keys(READ) as ReadName[]).flatMap((name) => row(name, null, `… ${name}, median`, 'ms')),
    ...measured.map(({ store }) => ({
      what: `… disk an event, indexes and counts included, ${count(store.events)} of skewed data`,
      value: store.eventBytes / store.events,
      unit: 'B',
      bar: { atMost: 550 },
      detail: `${(store.bytes / store.events).toFixed(0)} B with groups, incidents and releases`,
    })),
  ];
}

const count = (events: number) => `${(events / 1e6).toFixed(1)} M`;
const ago = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();

type Get = (path: string) => Promise<number>;

async function readAll(get: Get): Promise<Record<ReadName, number>> {
  const medians = [];
  for (const [name, pathOf] of Object.entries(READ)) {
    await get(pathOf());
    const reads = [];
    for (let read = 0; read < READS; read++) reads.push(await get(pathOf()));
    medians.push([name, median(reads)] as const);
  }
  // It has each name of READ.
  return Object.fromEntries(medians) as Record<ReadName, number>;
}

async function open(directory: string) {
  const service = await startService({ kept: directory });
  const login = await fetch(`${service.managementUrl}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: ACCOUNT.email, password: ACCOUNT.password }),
  });
  if (!login.ok) throw new Error(`${directory} was not filled by npm run bench:queries.`);
  const cookie = login.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
  const { id, apiKey } = await createProjectIn(service.managementUrl, cookie, `Growth ${Date.now()}`);
  const ledger = async () => {
    const answer = await fetch(`${service.managementUrl}/projects/${id}/ledger`, { headers: { cookie } });
    // The service of the same commit answers in its documented form.
    return (await answer.json()) as { accepted: number; stored: number; queued: number };
  };
  const cpu = () => {
    const { node, postgres } = readCpu(service.child.pid ?? 0, service.dataDirectory);
    return node + postgres;
  };
  const load = async (seconds: number) => {
    const [cpuBefore, before] = [cpu(), await ledger()];
    const url = `${service.ingestionUrl}/ingest/events`;
    const { rate } = await post({ url, apiKey, body: EVENT, connections: CONNECTIONS, seconds });
    await drain({ ledger });
    return { rate, micros: (cpu() - cpuBefore) / ((await ledger()).stored - before.stored) };
  };
  const get: Get = async (path) => {
    const startedAt = performance.now();
    const answer = await fetch(`${service.managementUrl}${path}`, { headers: { cookie } });
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`${path} was answered with ${answer.status}.`);
    return performance.now() - startedAt;
  };
  return { ...(await readSize(directory)), load, get, stop: service.stop };
}

async function readSize(directory: string): Promise<{ events: number; eventBytes: number; bytes: number }> {
  const client = await connect(directory);
  const { rows } = await client.query<{ events: number; eventBytes: number; bytes: number }>(
    `SELECT (SELECT count(*) FROM events)::float8 AS events,
        sum(bytes) FILTER (WHERE relname LIKE 'event%')::float8 AS "eventBytes",
        sum(bytes)::float8 AS bytes
      FROM (
        SELECT relname, pg_total_relation_size(oid) AS bytes FROM pg_class
        WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relname NOT LIKE 'queue%'
      ) AS sizes`,
  );
  await client.end();
  const [size] = rows;
  if (!size) throw new Error('PostgreSQL has not answered.');
  return size;
}
