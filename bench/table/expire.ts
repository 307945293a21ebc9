import { setTimeout as delay } from 'node:timers/promises';
import { connect } from '../support/database.ts';
import { createProject, startService } from '../support/processes.ts';
import { createWeeks } from './create-weeks.ts';
import { BEFORE_SECONDS, startNeighbour, toNeighbourRow } from './neighbour.ts';
import type { Options, Row } from './row.ts';

const EVENTS = 1_000_000;
const PROJECTS = 100;
const WEEKS = 4;
const POLL_MS = 100;
/** Maintenance begins within a minute, and removes events with pauses. */
const LIMIT_MS = 600_000;

type Client = Awaited<ReturnType<typeof connect>>;

/**
 * One of a hundred projects with a million events keeps those of severity info for a day from now on, while another one goes on
 * sending 500 events a second.
 */
export async function measureExpiry({ log }: Options): Promise<Row[]> {
  const service = await startService();
  const own = await createProject(service.managementUrl);
  const other = await createProject(service.managementUrl);
  const client = await connect(service.dataDirectory);
  await fill(client);
  log(`expire: ${EVENTS.toLocaleString('en-US')} events of ${PROJECTS} projects are stored`);

  const neighbour = startNeighbour(service.ingestionUrl, other.apiKey);
  await delay(BEFORE_SECONDS * 1_000);
  const chosenAt = performance.now();
  const answer = await fetch(`${service.managementUrl}/projects/${own.id}`, {
    method: 'PATCH',
    headers: { cookie: own.cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ retention: { info: 1 } }),
  });
  if (answer.status !== 200) throw new Error(`The choice was answered with ${answer.status}.`);
  const { beganAt, endedAt, expired } = await watchRemoval(client);
  const sent = await neighbour.end();
  await client.end();
  await service.stop();

  return [
    {
      what: `Removal of ${expired.toLocaleString('en-US')} of ${EVENTS.toLocaleString('en-US')} events, by the choice of one of ${PROJECTS} projects`,
      value: (endedAt - beganAt) / 1_000,
      unit: 's',
      bar: { atMost: 300 },
      detail: `${WEEKS} weeks; begins with the next maintenance, after ${((beganAt - chosenAt) / 1_000).toFixed(0)} s`,
    },
    toNeighbourRow('meanwhile', sent, { askedAt: chosenAt, beganAt, endedAt }),
  ];
}

/** Stores events of a hundred projects, over some weeks and with their counts by the hour, past ingestion. */
async function fill(client: Client): Promise<void> {
  await createWeeks(client, WEEKS);
  await client.query(
    `INSERT INTO projects (id, organization_id, name, environment, group_prefix, created_at)
      SELECT gen_random_uuid(), organization_id, 'Further', environment, 'FURTHER' || n, created_at
      FROM (SELECT * FROM projects ORDER BY id LIMIT 1) AS own CROSS JOIN generate_series(3, ${PROJECTS}) AS n`,
  );
  await client.query(
    `INSERT INTO events (id, organization_id, project_id, received_at, severity, type, source, message, correlation_id,
        fingerprint, correlation, payload)
      SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7' || substr(md5(n::text), 1, 19))::uuid,
        project.organization_id, project.id, at, 'info', 'checkout', 'shop', 'Order ' || n || ' was paid with card ending 4242',
        'ord_' || n, 'f', jsonb_build_object('order_id', 'ord_' || n, 'user_id', 'usr_' || n % 5000),
        '{"amount": 4200, "currency": "EUR", "items": [{"sku": "A-1", "quantity": 2}], "express": true}'
      FROM generate_series(1, ${EVENTS}) AS n
        JOIN (SELECT id, organization_id, row_number() OVER (ORDER BY number) AS place FROM projects) AS project
          ON project.place = 1 + n % ${PROJECTS}
        CROSS JOIN LATERAL (SELECT now() - n * interval '${WEEKS - 1} weeks' / ${EVENTS} AS at) AS made`,
  );
  await client.query(
    `INSERT INTO event_hours (scope, organization_id, project_id, hour, severity, quarter_1, quarter_2, quarter_3, quarter_4,
        environment)
      SELECT 'project', organization_id, project_id, date_trunc('hour', received_at), severity, count(*), 0, 0, 0, environment
      FROM events WHERE received_at < date_trunc('hour', now()) GROUP BY 2, 3, 4, 5, environment`,
  );
  await client.query(
    'INSERT INTO ledgers (project_id, accepted, stored) SELECT project_id, count(*), count(*) FROM events GROUP BY 1',
  );
  // Pending writes of the fill would be measured as the time before.
  await client.query('VACUUM (ANALYZE)');
  await client.query('CHECKPOINT');
}

/** Waits until no more events that are too old are left. */
async function watchRemoval(client: Client): Promise<{ beganAt: number; endedAt: number; expired: number }> {
  const startedAt = performance.now();
  let beganAt: number | null = null;
  while (performance.now() - startedAt < LIMIT_MS) {
    const { rows } = await client.query<{ expired: number; isDone: boolean }>(
      `SELECT (SELECT sum(expired)::int FROM ledgers) AS expired, NOT EXISTS (
          SELECT FROM event_hours AS h JOIN projects AS p ON p.id = h.project_id
          WHERE h.scope = 'project' AND NOT h.is_expired AND p.retention <> '{}' AND h.hour < now() - interval '25 hours'
        ) AS "isDone"`,
    );
    const { expired = 0, isDone = false } = rows[0] ?? {};
    if (expired > 0) beganAt ??= performance.now();
    if (beganAt !== null && isDone) return { beganAt, endedAt: performance.now(), expired };
    await delay(POLL_MS);
  }
  throw new Error(`Events are left after ${LIMIT_MS} ms.`);
}
