import { readCpu } from '../support/cpu.ts';
import { connect } from '../support/database.ts';
import { median } from '../support/median.ts';
import { createProject, startService } from '../support/processes.ts';
import { drain } from './drain.ts';
import { EVENT } from './event.ts';
import type { Options, Row } from './row.ts';

const EVENTS_A_REQUEST = 500;
const SENDERS = 4;
const REQUESTS = 100;

const BODY = Array.from({ length: EVENTS_A_REQUEST }, () => EVENT).join('\n');

/**
 * NDJSON of 500 events a request, until all are stored and indexed, in turn with PostgreSQL alone: rows that the service has
 * stored are copied inside the database, 500 in each durable transaction, into a table with the columns, checks and indexes
 * of a partition of `events`, by one and by two connections. Nothing is sent, parsed or counted for them.
 */
export async function measureBulk({ rounds, log }: Options): Promise<Row[]> {
  const service = await startService();
  const project = await createProject(service.managementUrl);
  const send = async (requests: number) => {
    let left = requests;
    await Promise.all(
      Array.from({ length: SENDERS }, async () => {
        while (left-- > 0) {
          const answer = await fetch(`${service.ingestionUrl}/ingest/bulk`, {
            method: 'POST',
            headers: { 'content-type': 'application/x-ndjson', 'x-api-key': project.apiKey },
            body: BODY,
          });
          await answer.arrayBuffer();
          if (answer.status !== 202) throw new Error(`A batch was answered with ${answer.status}.`);
        }
      }),
    );
  };
  const cpu = () => readCpu(service.child.pid ?? 0, service.dataDirectory);
  await send(10);
  await drain(project);

  const clients = [await connect(service.dataDirectory), await connect(service.dataDirectory)] as const;
  const { rows: partitions } = await clients[0].query<{ name: string }>(
    'SELECT tableoid::regclass::text AS name FROM events LIMIT 1',
  );
  const partition = partitions[0]?.name ?? '';
  await clients[0].query(`CREATE TABLE alone (LIKE ${partition} INCLUDING ALL)`);
  await clients[0].query(`CREATE TABLE sample AS SELECT * FROM ${partition} LIMIT ${EVENTS_A_REQUEST}`);
  const { rows: columns } = await clients[0].query<{ name: string }>(
    "SELECT quote_ident(attname) AS name FROM pg_attribute WHERE attrelid = 'sample'::regclass AND attnum > 0 AND attname <> 'id'",
  );
  const names = columns.map(({ name }) => name).join(', ');
  const insertAlone = async (connections: number) => {
    await clients[0].query('TRUNCATE alone');
    const startedAt = performance.now();
    let left = REQUESTS;
    await Promise.all(
      clients.slice(0, connections).map(async (client) => {
        while (left-- > 0)
          // New ids in the order of time, as the service gives them.
          await client.query(`INSERT INTO alone (id, ${names}) SELECT uuidv7(), ${names} FROM sample`);
      }),
    );
    return (REQUESTS * EVENTS_A_REQUEST) / ((performance.now() - startedAt) / 1_000);
  };

  const measured: { rate: number; one: number; two: number; micros: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    const [one, two] = [await insertAlone(1), await insertAlone(2)];
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
  for (const client of clients) await client.end();
  await service.stop();
  const of = (field: 'rate' | 'one' | 'two' | 'micros') => median(measured.map((round) => round[field]));
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
