import type { connect } from '../support/database.ts';
import { createWeeks } from './create-weeks.ts';

export type Client = Awaited<ReturnType<typeof connect>>;

const WEEKS = 4;
/** Groups of the events, each with so many users. */
const GROUPS = 1_000;
const USERS = 100;

export const erasedUser = (share: number) => `usr_erased_${share}`;

/**
 * Stores events of the first project, over some weeks, past ingestion, with their groups, the users of these, and their ledger.
 * Counts by time are left out: an erasure neither reads nor writes them.
 * @param shares one event in so many is of an erased user
 */
export async function fillForErasure(
  client: Client,
  events: number,
  shares: readonly number[],
): Promise<void> {
  await createWeeks(client, WEEKS);
  await withoutIndexes(client, async () => {
    const users = shares.map((share, place) => `WHEN n % ${share} = ${place} THEN '${erasedUser(share)}'`);
    await client.query(
      `INSERT INTO events (id, organization_id, project_id, received_at, severity, type, source, message, correlation_id,
          fingerprint, correlation, payload)
        SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7' || substr(md5(n::text), 1, 19))::uuid,
          organization_id, project_id, at, 'info', 'checkout', 'shop', 'Order ' || n || ' was paid with card ending 4242',
          'ord_' || n, md5((n % ${GROUPS})::text), jsonb_build_object('order_id', 'ord_' || n, 'user_id', user_id),
          '{"amount": 4200, "currency": "EUR", "items": [{"sku": "A-1", "quantity": 2}], "express": true}'
        FROM generate_series(${events}, 1, -1) AS n
          CROSS JOIN (SELECT id AS project_id, organization_id FROM projects ORDER BY id LIMIT 1) AS project
          CROSS JOIN LATERAL (SELECT now() - n * interval '${WEEKS - 1} weeks' / ${events} AS at,
            CASE ${users.join(' ')} ELSE 'usr_' || n % 5000 END AS user_id) AS made`,
    );
  });
  await fillGroups(client, shares);
  await client.query(
    'INSERT INTO ledgers (project_id, accepted, stored) SELECT id, $1, $1 FROM projects ORDER BY id LIMIT 1',
    [events],
  );
  // Pending writes of the fill would be measured as the time before.
  await client.query('VACUUM (ANALYZE)');
  await client.query('CHECKPOINT');
}

/** Creates the indexes of events after the events, which takes a fraction of the time. */
async function withoutIndexes(client: Client, fill: () => Promise<void>): Promise<void> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `SELECT indexrelid::regclass::text AS name, replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ') AS definition
      FROM pg_index WHERE indrelid = 'events'::regclass AND NOT indisprimary`,
  );
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`);
  await fill();
  await client.query(`SET maintenance_work_mem = '512MB'`);
  for (const { definition } of rows) await client.query(definition);
}

async function fillGroups(client: Client, shares: readonly number[]): Promise<void> {
  await client.query(
    `WITH made AS (
        INSERT INTO groups (id, organization_id, project_id, number, fingerprint, title, type, source, severity, count, users,
          first_seen, last_seen)
        SELECT gen_random_uuid(), organization_id, id, 1 + n, md5(n::text), 'Order was paid with card ending ' || n, 'checkout',
          'shop', 'info', 1, ${USERS}, now() - interval '1 week', now()
        FROM generate_series(0, ${GROUPS - 1}) AS n
          CROSS JOIN (SELECT id, organization_id FROM projects ORDER BY id LIMIT 1) AS project
        RETURNING id, project_id, fingerprint, number
      )
      INSERT INTO group_fingerprints (project_id, fingerprint, group_id, number)
      SELECT project_id, fingerprint, id, number FROM made`,
  );
  await client.query(
    `INSERT INTO group_users (group_id, project_id, user_hash)
      SELECT id, project_id, hashtextextended(name, 0) & 9007199254740991
      FROM groups CROSS JOIN (
        SELECT 'usr_' || n AS name FROM generate_series(1, ${USERS}) AS n UNION SELECT unnest($1::text[])) AS users`,
    [shares.map(erasedUser)],
  );
}
