import { readCpu } from '../support/cpu.ts';
import { connect } from '../support/database.ts';
import { median } from '../support/median.ts';
import { createProject, startService } from '../support/processes.ts';
import { drain } from './drain.ts';
import type { Options, Row } from './row.ts';
import { EVENTS_A_REQUEST, SENDERS, sendBulk } from './send-bulk.ts';

const REQUESTS = 100;

interface Round {
  rate: number;
  /** Rates of PostgreSQL alone on one and on two connections. */
  one: number;
  two: number;
  micros: number;
}

/**
 * NDJSON of 500 events a request, until all are stored and indexed, in turn with PostgreSQL alone: clients on one and on two
 * connections insert rows that the service has stored, 500 in each statement and durable transaction, into a table with the
 * columns, checks and indexes of a partition of `events`. Nothing is checked, grouped or counted for them.
 */
export async function measureBulk({ rounds, log }: Options): Promise<Row[]> {
  const service = await startService();
  const project = await createProject(service.managementUrl);
  const send = (requests: number) =>
    sendBulk(service.ingestionUrl, project.apiKey, requests * EVENTS_A_REQUEST);
  const cpu = () => readCpu(service.child.pid ?? 0, service.dataDirectory);
  await send(10);
  await drain(project);

  const alone = await openAlone(service.dataDirectory);
  const measured: Round[] = [];
  for (let round = 0; round < rounds; round++) {
    const [one, two] = [await alone.insert(1), await alone.insert(2)];
    const [before, startedAt] = [cpu(), performance.now()];
    await send(REQUESTS);
    await drain(project);
    const [seconds, after] = [(performance.now() - startedAt) / 1_000, cpu()];
    const events = REQUESTS * EVENTS_A_REQUEST;
    const micros = (after.node - before.node + after.postgres - before.postgres) / events;
    measured.push({ rate: events / seconds, one, two, micros });
    log(
      `bulk: Tocsin ${Math.round(events / seconds)}/s (${micros.toFixed(1)} µs of CPU an event), ` +
        `PostgreSQL alone ${Math.round(one)}/s on one connection, ${Math.round(two)}/s on two`,
    );
  }
  await alone.close();
  await service.stop();
  return rowsOf(measured);
}

function rowsOf(measured: readonly Round[]): Row[] {
  const of = (field: keyof Round) => median(measured.map((round) => round[field]));
  return [
    {
      what: 'Bulk NDJSON of 500, stored and indexed, against PostgreSQL alone on one connection',
      value: median(measured.map(({ rate, one }) => rate / one)),
      unit: '',
      bar: { atLeast: 0.95 },
      detail: `${Math.round(of('rate'))} of ${Math.round(of('one'))} a second`,
    },
    {
      what: '… on two connections',
      value: median(measured.map(({ rate, two }) => rate / two)),
      unit: '',
      bar: { atLeast: 0.7 },
      detail: `of ${Math.round(of('two'))} a second`,
    },
    {
      what: '… CPU of all processes, an event',
      value: of('micros'),
      unit: 'µs',
      bar: null,
      detail: `${SENDERS} senders`,
    },
  ];
}

/** Opens PostgreSQL without the service, over a table like a partition of `events`. */
async function openAlone(dataDirectory: string) {
  const clients = [await connect(dataDirectory), await connect(dataDirectory)] as const;
  const { rows: partitions } = await clients[0].query<{ name: string }>(
    'SELECT tableoid::regclass::text AS name FROM events LIMIT 1',
  );
  const partition = partitions[0]?.name ?? '';
  await clients[0].query(`CREATE TABLE alone (LIKE ${partition} INCLUDING ALL)`);
  // As texts, so that sending them again costs no formatting.
  const { rows: stored } = await clients[0].query<Record<string, string | null>>({
    text: `SELECT * FROM ${partition} LIMIT ${EVENTS_A_REQUEST}`,
    types: { getTypeParser: () => String },
  });
  const insertion = insertOf(stored);
  const insert = async (connections: number) => {
    await clients[0].query('TRUNCATE alone');
    const startedAt = performance.now();
    let left = REQUESTS;
    await Promise.all(
      clients.slice(0, connections).map(async (client) => {
        while (left-- > 0) await client.query(insertion);
      }),
    );
    return (REQUESTS * EVENTS_A_REQUEST) / ((performance.now() - startedAt) / 1_000);
  };
  return {
    /** Returns the rate of so many connections. */
    insert,
    close: async () => {
      for (const client of clients) await client.end();
    },
  };
}

/** One prepared statement of all these rows, with new ids in the order of time, as the service gives them. */
function insertOf(rows: readonly Record<string, string | null>[]): {
  name: string;
  text: string;
  values: unknown[];
} {
  const names = Object.keys(rows[0] ?? {}).filter((name) => name !== 'id');
  const places = rows.map((_row, index) => {
    const first = index * names.length + 1;
    return `(uuidv7(), ${names.map((_name, column) => `$${first + column}`).join(', ')})`;
  });
  return {
    name: 'insert-alone',
    text: `INSERT INTO alone (id, ${names.join(', ')}) VALUES ${places.join(', ')}`,
    values: rows.flatMap((row) => names.map((name) => row[name])),
  };
}
