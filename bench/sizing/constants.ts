import { loadavg } from 'node:os';
import { measureLiveCost } from '../risk/cost.ts';
import { post } from '../support/load.ts';
import { median } from '../support/median.ts';
import { createProject } from '../support/processes.ts';
import { drain } from '../table/drain.ts';
import { EVENT } from '../table/event.ts';
import { createIncident } from '../table/fan-out.ts';
import { formatRow, type Options, type Row } from '../table/row.ts';
import { EVENTS_A_REQUEST, sendBulk } from '../table/send-bulk.ts';
import { namesOf, type PathCost, type PathName, tableOfNeeds } from './needs.ts';
import { type Reading, startRolesApart } from './roles-apart.ts';

const CONNECTIONS = 64;
const BULK_EVENTS = 40_000;
const WRITERS = 16;
const CHANGES = 400;

type Service = Awaited<ReturnType<typeof startRolesApart>>;

interface Load {
  events: number;
  eventsACommit: number;
  diskBytes: number;
  cost: PathCost;
}

/**
 * Measures what docs/sizing.md computes from. Events are accepted while the worker is stopped and stored while none arrive, so that
 * each side has its own figure: on one machine CPU an event is what tells them apart, and other work hardly moves it.
 */
export async function measureConstants({ rounds, seconds, log }: Options): Promise<Row[]> {
  const loads = [loadavg()[0] ?? 0];
  const service = await startRolesApart();
  const measured = {
    // For the cost of a commit: each event is one.
    alone: [] as Load[],
    'by itself': [] as Load[],
    'in bodies of 500': [] as Load[],
  };
  const changes: number[] = [];
  const send = (connections: number, during: number) =>
    post({
      url: `${service.ingestionUrl}/ingest/events`,
      apiKey: service.project.apiKey,
      body: EVENT,
      connections,
      seconds: during,
    });
  const sends = {
    alone: () => send(1, seconds),
    'by itself': () => send(CONNECTIONS, seconds),
    'in bodies of 500': () => sendBulk(service.ingestionUrl, service.project.apiKey, BULK_EVENTS),
  };
  const kinds = ['alone', 'by itself', 'in bodies of 500'] as const;
  for (const kind of kinds) await measureLoad(service, sends[kind]);
  for (let round = 0; round < rounds; round++) {
    for (const kind of kinds) {
      const load = await measureLoad(service, sends[kind]);
      measured[kind].push(load);
      log(`constants, ${kind}: ${describe(load)}; load ${loadavg()[0]?.toFixed(1)}`);
    }
    changes.push(await countChanges(service));
    loads.push(loadavg()[0] ?? 0);
  }
  await service.stop();
  const rows: Row[] = [
    ...rowsOfPath('by itself', measured['by itself']),
    ...rowsOfPath('in bodies of 500', measured['in bodies of 500']),
    rowOfCommit(measured.alone, measured['by itself']),
    rowOfDisk(measured['in bodies of 500']),
    ...(await rowsOfDetection()),
    {
      what: 'Changes of incidents a second, which commit one after the other',
      value: median(changes),
      unit: '',
      bar: null,
      detail: `${WRITERS} clients create incidents in one organization; by the clock, on this disk`,
    },
    {
      what: 'Load of the machine meanwhile, median',
      value: median(loads),
      unit: '',
      bar: null,
      detail: `${Math.min(...loads).toFixed(1)} to ${Math.max(...loads).toFixed(1)}`,
    },
  ];
  log(`\n${tableOfNeeds(rows.map(formatRow).join('\n'))}\n`);
  return rows;
}

async function measureLoad(service: Service, send: () => Promise<unknown>): Promise<Load> {
  const acceptedBefore = (await service.project.ledger()).accepted;
  service.pauseWorkers();
  const before = await service.read();
  // A stopped process would not end where the load fails.
  const between = await send()
    .then(() => service.read())
    .finally(() => service.continueWorkers());
  await drain(service.project);
  const after = await service.read();
  const events = (await service.project.ledger()).accepted - acceptedBefore;
  return {
    events,
    eventsACommit: events / between.queueRows,
    diskBytes: (after.eventBytes - before.eventBytes) / events,
    cost: {
      intakeNode: (between.intakeNode - before.intakeNode) / events,
      intakePostgres: (between.postgres - before.postgres) / events,
      storeNode: (after.workerNode - between.workerNode) / events,
      storeBackend: busiest(between, after) / events,
      storePostgres: (after.postgres - between.postgres) / events,
      wal: (after.wal - before.wal) / events,
    },
  };
}

/** Returns the CPU of the backend that has worked most, which is the one that stores. */
function busiest(from: Reading, to: Reading): number {
  // One that has ended meanwhile has no number.
  const used = [...to.backends].map(([pid, micros]) => micros - (from.backends.get(pid) ?? 0));
  return used.reduce((most, micros) => (micros > most ? micros : most), 0);
}

/** Creates incidents in an organization of its own, since one may create few thousand a day. @returns changes a second */
async function countChanges({ managementUrl }: Service): Promise<number> {
  const project = await createProject(managementUrl);
  const startedAt = performance.now();
  let left = CHANGES;
  const writer = async () => {
    while (left-- > 0) await createIncident(managementUrl, project, `Incident ${left}`);
  };
  await Promise.all(Array.from({ length: WRITERS }, writer));
  return CHANGES / ((performance.now() - startedAt) / 1_000);
}

function describe({ events, eventsACommit, cost }: Load): string {
  const figures = Object.entries(cost).map(([name, value]) => `${name} ${value.toFixed(1)}`);
  return `${events} events, ${eventsACommit.toFixed(1)} a commit, ${figures.join(', ')}`;
}

function rowsOfPath(path: PathName, loads: readonly Load[]): Row[] {
  const commits = `${median(loads.map(({ eventsACommit }) => eventsACommit)).toFixed(0)} events a commit`;
  // The keys of a path.
  const names = Object.entries(namesOf(path)) as [keyof PathCost, string][];
  return names.map(([name, what]) => {
    const values = loads.map(({ cost }) => cost[name]);
    const unit = name === 'wal' ? 'B' : 'µs';
    const detail = `${Math.min(...values).toFixed(1)} to ${Math.max(...values).toFixed(1)}; ${commits}`;
    return { what, value: median(values), unit, bar: null, detail };
  });
}

/** Compares loads of the same events, which differ in how many share a commit. */
function rowOfCommit(alone: readonly Load[], together: readonly Load[]): Row {
  const micros = alone.map((one, round) => {
    const other = together[round] ?? one;
    const [commits, others] = [1 / one.eventsACommit, 1 / other.eventsACommit];
    return (one.cost.intakePostgres - other.cost.intakePostgres) / (commits - others);
  });
  return {
    what: 'A commit of intake: CPU of PostgreSQL beyond that of its events',
    value: median(micros),
    unit: 'µs',
    bar: null,
    detail: `from 1 connection and ${CONNECTIONS}`,
  };
}

function rowOfDisk(loads: readonly Load[]): Row {
  return {
    what: 'Disk an event of one kind, indexes and counts included',
    value: median(loads.map(({ diskBytes }) => diskBytes)),
    unit: 'B',
    bar: null,
    detail: `bodies of ${EVENTS_A_REQUEST}; of many kinds: the part growth`,
  };
}

async function rowsOfDetection(): Promise<Row[]> {
  const { series, cpuMsAMinute, memoryBytes, savedBytes } = await measureLiveCost();
  const detail = `${series.toLocaleString('en-US')} series of 50 events a minute`;
  return [
    {
      what: 'Detection: CPU of the leading worker a series and minute',
      value: (1_000 * cpuMsAMinute) / series,
      unit: 'µs',
      bar: null,
      detail: `${detail}; scaled to a machine at rest`,
    },
    { what: '… memory a series', value: memoryBytes / series, unit: 'B', bar: null, detail },
    {
      what: '… saved every five minutes, a series',
      value: savedBytes / series,
      unit: 'B',
      bar: null,
      detail,
    },
  ];
}
