import type { Queryable } from '../../database/database.ts';
import type { Rewind } from '../../database/position-watch.ts';
import { newUuid } from '../../platform/ids.ts';

const REWIND = 'rewind';

/** Returns the stored loss, locked until the transaction ends; null: there was none yet. */
export async function lockRewind(database: Queryable): Promise<Rewind | null> {
  await database.query(`INSERT INTO settings (name, value) VALUES ($1, 'null') ON CONFLICT DO NOTHING`, [
    REWIND,
  ]);
  const { rows } = await database.query<{ value: string }>(
    'SELECT value FROM settings WHERE name = $1 FOR UPDATE',
    [REWIND],
  );
  // Written below and by nothing else.
  return JSON.parse(rows[0]?.value ?? 'null') as Rewind | null;
}

export async function updateRewind(database: Queryable, rewind: Rewind): Promise<void> {
  await database.query('UPDATE settings SET value = $2 WHERE name = $1', [REWIND, JSON.stringify(rewind)]);
}

/** Gives the OWNERs of all organizations a notice each, by one statement however many there are. */
export async function insertRewindNotices(
  database: Queryable,
  { nowMs, noticedMs }: { nowMs: number; noticedMs: number },
): Promise<void> {
  // The first two groups of digits of an identifier are its time, and the rest of the new one is random.
  const prefix = newUuid(nowMs).slice(0, '00000000-0000-7'.length);
  await database.query(
    `INSERT INTO notices (id, user_id, kind, organization_id, organization_name, created_at)
      SELECT ($1 || substr(gen_random_uuid()::text, length($1) + 1))::uuid, m.user_id, 'database_rewound', o.id, o.name, $2
      FROM members m JOIN organizations o ON o.id = m.organization_id
      WHERE m.role = 'OWNER'`,
    [prefix, new Date(noticedMs)],
  );
}

export async function deleteRewindNotices(database: Queryable): Promise<void> {
  await database.query(`DELETE FROM notices WHERE kind = 'database_rewound'`);
}
