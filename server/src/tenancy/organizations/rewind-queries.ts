import type { Queryable } from '../../database/database.ts';
import type { Rewind } from '../../database/position-watch.ts';

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

interface Owner {
  userId: string;
  organizationId: string;
  organizationName: string;
}

/** The OWNERs of all organizations. */
export async function listOwners(database: Queryable): Promise<Owner[]> {
  const { rows } = await database.query<Owner>(
    `SELECT m.user_id AS "userId", o.id AS "organizationId", o.name AS "organizationName"
      FROM members m JOIN organizations o ON o.id = m.organization_id
      WHERE m.role = 'OWNER' ORDER BY o.id, m.user_id`,
  );
  return rows;
}

export async function deleteRewindNotices(database: Queryable): Promise<void> {
  await database.query(`DELETE FROM notices WHERE kind = 'database_rewound'`);
}
