import type { Queryable } from '../../database/database.ts';

/**
 * Until when events may be known by fingerprints of version 1: for 30 days after the update to version 2, which is how
 * long a group or an error that does not occur is expected back. Milliseconds; 0 where no event ever had one.
 */
export async function findFingerprintV1Until(database: Queryable): Promise<number> {
  const { rows } = await database.query<{ value: string }>(
    `SELECT value FROM settings WHERE name = 'fingerprint_v1_until'`,
  );
  const untilMs = Date.parse(rows[0]?.value ?? '');
  return Number.isNaN(untilMs) ? 0 : untilMs;
}
