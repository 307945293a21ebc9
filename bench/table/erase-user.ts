import { setTimeout as delay } from 'node:timers/promises';
import { connect } from '../support/database.ts';
import { percentile } from '../support/median.ts';
import { sendPaced } from '../support/paced.ts';
import { createProject, startService } from '../support/processes.ts';
import { createWeeks } from './create-weeks.ts';
import { EVENT } from './event.ts';
import type { Options, Row } from './row.ts';

const EVENTS = 1_000_000;
/** One event in ten is of the erased user, and they lie apart from each other. */
const SHARE = 10;
const WEEKS = 4;
const USER = 'usr_erased';
/** Events a second of another project, before and meanwhile. */
const RATE = 500;
const BEFORE_SECONDS = 20;
const POLL_MS = 100;
const LIMIT_MS = 600_000;

/** A user of a tenth of a million events is erased while another project goes on sending 500 events a second. */
export async function measureErasure({ log }: Options): Promise<Row[]> {
  const service = await startService();
  const large = await createProject(service.managementUrl);
  const other = await createProject(service.managementUrl);
  const client = await connect(service.dataDirectory);
  await fill(client);
  log(`erase: ${EVENTS.toLocaleString('en-US')} events are stored`);

  const ended = new AbortController();
  const paced = { url: `${service.ingestionUrl}/ingest/events`, apiKey: other.apiKey, rate: RATE };
  const sending = sendPaced({ ...paced, bodyOf: () => EVENT }, ended.signal);
  await delay(BEFORE_SECONDS * 1_000);
  const beganAt = performance.now();
  const answer = await fetch(`${service.managementUrl}/erasures`, {
    method: 'POST',
    headers: { cookie: large.cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ projectId: large.id, key: 'user_id', value: USER }),
  });
  if (answer.status !== 201) throw new Error(`The request was answered with ${answer.status}.`);
  const erased = await waitForEnd(client);
  const endedAt = performance.now();
  ended.abort();
  const sent = await sending;
  await client.end();
  await service.stop();
  if (erased !== EVENTS / SHARE) throw new Error(`${erased} events were erased.`);

  const waits = (fromMs: number, toMs: number) =>
    sent.filter(({ sentAt }) => sentAt >= fromMs && sentAt < toMs).map(({ elapsedMs }) => elapsedMs);
  const before = waits(beganAt - BEFORE_SECONDS * 900, beganAt);
  const during = waits(beganAt, endedAt);
  const [p99Before, p99During] = [percentile(before, 0.99), percentile(during, 0.99)];
  return [
    {
      what: `Erasure of a user of ${erased.toLocaleString('en-US')} of ${EVENTS.toLocaleString('en-US')} events`,
      value: (endedAt - beganAt) / 1_000,
      unit: 's',
      bar: { atMost: 300 },
      detail: 'from the request on, the wait for the queue included',
    },
    {
      what: '… p99 of another project’s events meanwhile, over before',
      value: p99During / p99Before,
      unit: '×',
      bar: { atMost: 1.5 },
      detail: `${p99During.toFixed(1)} over ${p99Before.toFixed(1)} ms at ${RATE} a second; p50 ${percentile(during, 0.5).toFixed(1)} over ${percentile(before, 0.5).toFixed(1)}`,
    },
  ];
}

/** Stores events of the first project, over some weeks, past ingestion. */
async function fill(client: Awaited<ReturnType<typeof connect>>): Promise<void> {
  await createWeeks(client, WEEKS);
  await client.query(
    `INSERT INTO events (id, organization_id, project_id, received_at, severity, type, source, message, correlation_id,
        fingerprint, correlation, payload)
      SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7' || substr(md5(n::text), 1, 19))::uuid,
        organization_id, project_id, at, 'info', 'checkout', 'shop', 'Order ' || n || ' was paid with card ending 4242',
        'ord_' || n, 'f', jsonb_build_object('order_id', 'ord_' || n, 'user_id', user_id),
        '{"amount": 4200, "currency": "EUR", "items": [{"sku": "A-1", "quantity": 2}], "express": true}'
      FROM generate_series(1, ${EVENTS}) AS n
        CROSS JOIN (SELECT id AS project_id, organization_id FROM projects ORDER BY id LIMIT 1) AS project
        CROSS JOIN LATERAL (SELECT now() - n * interval '${WEEKS - 1} weeks' / ${EVENTS} AS at,
          CASE WHEN n % ${SHARE} = 0 THEN '${USER}' ELSE 'usr_' || n % 5000 END AS user_id) AS made`,
  );
  await client.query(
    `INSERT INTO ledgers (project_id, accepted, stored) SELECT id, ${EVENTS}, ${EVENTS} FROM projects ORDER BY id LIMIT 1`,
  );
  // Pending writes of the fill would be measured as the time before.
  await client.query('VACUUM (ANALYZE)');
  await client.query('CHECKPOINT');
}

/** @returns number of erased events */
async function waitForEnd(client: Awaited<ReturnType<typeof connect>>): Promise<number> {
  const startedAt = performance.now();
  for (;;) {
    const { rows } = await client.query<{ events: string; state: string }>(
      'SELECT events::text, state FROM erasures',
    );
    if (rows[0]?.state === 'done') return Number(rows[0].events);
    if (performance.now() - startedAt > LIMIT_MS)
      throw new Error(`It is ${rows[0]?.state} after ${LIMIT_MS} ms.`);
    await delay(POLL_MS);
  }
}
