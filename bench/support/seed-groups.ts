import type { Client } from 'pg';

/*
 * A project of many groups and events, written straight into the tables by generate_series: through ingestion it would take
 * hours. What the numbers of a group are, its events and its counts need not agree; how many rows each table and each value
 * has is what a read costs.
 */

export interface Seeded {
  organizationId: string;
  projectId: string;
  userId: string;
  groups: number;
  events: number;
  nowMs: number;
}

const DAYS = 6;
const CHUNK = 500_000;
/** Of the groups, this share has events at all times: nine in ten events are theirs. */
const BUSY = 0.01;
/** Events of the busy group with the number `n`. */
const ZIPF = '1 + 200 / n';

const HEX = "lpad(to_hex(n), 16, '0')";
const word = (list: string[], of: string) => `('{${list.join(',')}}'::text[])[1 + (${of}) % ${list.length}]`;
const NOUNS = [
  'order',
  'invoice',
  'payment',
  'basket',
  'customer',
  'voucher',
  'shipment',
  'refund',
  'session',
  'stock',
];
const ERRORS = ['TypeError', 'TimeoutError', 'PaymentDeclined', 'ConnectionRefused', 'ValidationError'];
/** Of the severity, type, source, release and group with the number `n`. */
const SEVERITY = `(CASE WHEN n % 20 < 12 THEN 'info' WHEN n % 20 < 15 THEN 'warn' WHEN n % 20 < 19 THEN 'error' ELSE 'critical' END)::severity`;
const TYPE = `'type-' || n % 30`;
const SOURCE = `'service-' || n % 20`;
const RELEASE = `'4.' || n % 50 || '.0'`;
const TITLE = `${word(ERRORS, 'n')} || ': the ' || ${word(NOUNS, 'n / 7')} || ' ' || n || ' of a ' || ${word(NOUNS, 'n / 3')}
  || ' could not be ' || ${word(['read', 'written', 'sent', 'found', 'charged'], 'n / 11')}`;
const CULPRIT = `'src/' || ${word(NOUNS, 'n / 5')} || '/' || ${word(NOUNS, 'n / 13')} || '.ts in step' || n % 400`;
const groupId = (n: string) => `('00000000-0000-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`;

/** @param say takes what is done, in words */
export async function seedGroups(client: Client, seeded: Seeded, say: (line: string) => void): Promise<void> {
  const indexes = await dropIndexes(client, ['events', 'groups', 'group_texts']);
  say('groups');
  await insertGroups(client, seeded);
  for (let first = 0; first < seeded.events; first += CHUNK) {
    say(`events from ${first} on`);
    await insertEvents(client, seeded, first, Math.min(first + CHUNK, seeded.events));
  }
  say('counts');
  await insertCounts(client, seeded);
  for (const index of indexes) {
    say(index);
    await client.query(index);
  }
  say('vacuum');
  await client.query('VACUUM ANALYZE');
}

/** Indexes are built at the end: that is far cheaper than keeping them. @returns the statements that make them again */
async function dropIndexes(client: Client, tables: string[]): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `SELECT indexname AS name, indexdef AS definition FROM pg_indexes
      WHERE tablename = ANY ($1) AND indexname NOT LIKE '%_pkey'`,
    [tables],
  );
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`);
  return rows.map(({ definition }) => definition.replace(' ON ONLY ', ' ON '));
}

async function insertGroups(client: Client, seeded: Seeded): Promise<void> {
  const { organizationId, projectId, userId, groups, nowMs } = seeded;
  const now = new Date(nowMs);
  await client.query(
    `INSERT INTO groups (id, organization_id, project_id, number, fingerprint, title, culprit, type, source, severity,
        state, count, users, first_seen, last_seen, first_release, last_release, regressed_at, assignee_id)
      SELECT ${groupId('n')}, $1, $2, n, ${HEX}, ${TITLE}, ${CULPRIT}, ${TYPE}, ${SOURCE}, ${SEVERITY},
        (CASE WHEN n % 50 = 1 THEN 'muted' WHEN n % 50 < 6 THEN 'resolved' ELSE 'open' END)::group_state,
        1 + floor(power(random(), 6) * 100000), floor(power(random(), 5) * 1001),
        $4::timestamptz - random() * interval '90 days', $4::timestamptz - power(random(), 2) * interval '6 days',
        ${RELEASE}, ${RELEASE}, CASE WHEN n % 100 = 7 THEN $4::timestamptz - random() * interval '5 days' END,
        CASE WHEN n % 1000 = 9 THEN $3::uuid END
      FROM generate_series(1, $5::int) AS n`,
    [organizationId, projectId, userId, now, groups],
  );
  await client.query(
    `INSERT INTO group_fingerprints (project_id, fingerprint, group_id, number)
      SELECT $1, ${HEX}, ${groupId('n')}, n FROM generate_series(1, $2::int) AS n`,
    [projectId, groups],
  );
  await client.query(
    `INSERT INTO group_releases (project_id, release, group_id)
      SELECT $1, ${RELEASE}, ${groupId('n')} FROM generate_series(1, $2::int) AS n`,
    [projectId, groups],
  );
  await client.query(`INSERT INTO group_numbers VALUES ($1, $2, $3, 0, 0, 0, 0) ON CONFLICT DO NOTHING`, [
    projectId,
    groups,
    now,
  ]);
  await client.query(
    `INSERT INTO group_history (id, organization_id, project_id, group_id, before, after, created_at)
      SELECT gen_random_uuid(), $1, $2, ${groupId('1')}, '{"state":"open"}', '{"state":"resolved"}', $3
      FROM generate_series(1, 500)`,
    [organizationId, projectId, now],
  );
  await client.query(
    `INSERT INTO releases (project_id, version, first_seen, last_seen, events, errors, new_groups, users)
      SELECT $1, ${RELEASE}, $2::timestamptz - (50 - n) * interval '1 day', $2, 1000, 100, 10, 2
      FROM generate_series(0, 49) AS n ON CONFLICT DO NOTHING`,
    [projectId, now],
  );
}

/** Events in the order of their times, evenly over some days. */
async function insertEvents(client: Client, seeded: Seeded, first: number, end: number): Promise<void> {
  const { organizationId, projectId, groups, events, nowMs } = seeded;
  await client.query(
    `INSERT INTO events (id, organization_id, project_id, received_at, severity, type, source, message, correlation_id,
        fingerprint, release, correlation, payload)
      SELECT (lpad(to_hex(ms), 12, '0') || '7' || left(md5(i::text), 3) || 'a' || substr(md5(i::text), 4, 15))::uuid, $1, $2,
        to_timestamp(ms / 1000.0), ${SEVERITY}, ${TYPE}, ${SOURCE}, ${TITLE}, 'ord_' || i, ${HEX}, ${RELEASE},
        jsonb_build_object('order_id', 'ord_' || i, 'user_id', 'usr_' || i % 50000),
        jsonb_build_object('cart', jsonb_build_object('id', i % 1000, 'total', 12.5))
      FROM (
        SELECT i, ($3::bigint - ${DAYS * 86_400_000}::bigint + i * ${DAYS * 86_400_000}::bigint / $4)::bigint AS ms,
          CASE WHEN random() < 0.9 THEN 1 + floor(random() * $5 * ${BUSY})::int
            ELSE 1 + floor(random() * $5)::int END AS n
        FROM generate_series($6::bigint, $7::bigint - 1) AS i
      ) AS made`,
    [organizationId, projectId, nowMs, events, groups, first, end],
  );
}

async function insertCounts(client: Client, seeded: Seeded): Promise<void> {
  const { organizationId, projectId, groups, nowMs } = seeded;
  const now = new Date(nowMs);
  await client.query(
    `INSERT INTO event_counts (organization_id, project_id, minute, severity, type, source, count)
      SELECT $1, $2, date_trunc('minute', $3::timestamptz) - minute * interval '1 minute', ${SEVERITY}, ${TYPE}, ${SOURCE}, 20
      FROM generate_series(1, ${DAYS * 1440}) AS minute CROSS JOIN generate_series(0, 59) AS n`,
    [organizationId, projectId, now],
  );
  // The busy groups in every tenth minute of 48 hours, all others in one; in every hour before it. Of the busy ones, the
  // n-th has a share of 1 / n, as kinds of events have; the others are about equal.
  await client.query(
    `INSERT INTO group_minutes (group_id, project_id, minute, info, warn, error, critical)
      SELECT ${groupId('n')}, $1::uuid, date_trunc('minute', $2::timestamptz) - minute * interval '1 minute', ${ZIPF}, 0, ${ZIPF}, 0
      FROM generate_series(1, ($3 * ${BUSY})::int) AS n CROSS JOIN generate_series(0, 2879, 10) AS minute
      UNION ALL
      SELECT ${groupId('n')}, $1::uuid, date_trunc('minute', $2::timestamptz) - (n % 2880) * interval '1 minute', 1, 0, 1, 0
      FROM generate_series(($3 * ${BUSY})::int + 1, $3::int) AS n`,
    [projectId, now, groups],
  );
  await client.query(
    `INSERT INTO group_hours (group_id, project_id, hour, info, warn, error, critical)
      SELECT ${groupId('n')}, $1::uuid, date_trunc('hour', $2::timestamptz) - hour * interval '1 hour', ${ZIPF}, 0, ${ZIPF}, 0
      FROM generate_series(1, ($3 * ${BUSY})::int) AS n CROSS JOIN generate_series(49, 168) AS hour
      UNION ALL
      SELECT ${groupId('n')}, $1::uuid, date_trunc('hour', $2::timestamptz) - (49 + n % 120) * interval '1 hour', 1, 0, 1, 0
      FROM generate_series(($3 * ${BUSY})::int + 1, $3::int) AS n`,
    [projectId, now, groups],
  );
}

/** An incident about all errors of the last hour. */
export async function seedIncident(
  client: Client,
  { organizationId, projectId, nowMs }: Pick<Seeded, 'organizationId' | 'projectId' | 'nowMs'>,
): Promise<void> {
  const from = new Date(nowMs - 3_600_000).toISOString();
  const evidence = {
    sentence: 'Errors have risen.',
    rule: 'rise',
    series: { kind: 'errors', type: null, severity: null, source: null, fingerprint: null },
    observed: 230,
    expected: 20,
    windowSeconds: 300,
    from,
    to: new Date(nowMs).toISOString(),
    falseAlarmsPerWeek: 0.1,
    alsoSeries: [],
    sampleEventIds: [],
    correlationIds: [],
  };
  await client.query(
    `INSERT INTO incidents (id, organization_id, project_id, title, severity, status, origin, event_count, evidence,
        created_at, updated_at)
      VALUES ('01900000-0000-7000-8000-000000000001', $1, $2, 'Errors', 'error', 'open', 'risk', 230, $3, $4, $4)
      ON CONFLICT DO NOTHING`,
    [organizationId, projectId, JSON.stringify(evidence), from],
  );
}
