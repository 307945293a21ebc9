import { ADVISORY_LOCKS } from '../../database/advisory-locks.ts';
import type { Queryable } from '../../database/database.ts';

/** Prefix of the subject by which wrong codes for an account are counted. */
export const CODES_PREFIX = 'codes:';

/** Serializes the guesses at one account until the transaction ends. */
export async function lockLoginFailures(database: Queryable, subject: string): Promise<void> {
  await database.query('SELECT pg_advisory_xact_lock($1, hashtext($2))', [
    ADVISORY_LOCKS.loginFailures,
    subject,
  ]);
}

export interface LoginFailures {
  /** Number since `ever`. */
  count: number;
  newest: Date;
  /** Number since `recently`. */
  recent: number;
  oldestRecent: Date | null;
}

/** Counts the wrong passwords of each subject since two instants, until a third. */
export async function countLoginFailures(
  database: Queryable,
  subjects: string[],
  { recently, ever, until }: { recently: Date; ever: Date; until: Date },
): Promise<Map<string, LoginFailures>> {
  const { rows } = await database.query<LoginFailures & { subject: string }>(
    `SELECT subject, count(*) AS count, max(failed_at) AS newest,
        count(*) FILTER (WHERE failed_at > $2) AS recent,
        min(failed_at) FILTER (WHERE failed_at > $2) AS "oldestRecent"
      FROM login_failures WHERE subject = ANY($1) AND failed_at > $3 AND failed_at <= $4 GROUP BY subject`,
    [subjects, recently, ever, until],
  );
  return new Map(rows.map((row) => [row.subject, row]));
}

export async function insertLoginFailures(database: Queryable, subjects: string[], now: Date): Promise<void> {
  await database.query('INSERT INTO login_failures (subject, failed_at) SELECT unnest($1::text[]), $2', [
    subjects,
    now,
  ]);
}

export async function deleteLoginFailures(database: Queryable, subjects: string[]): Promise<void> {
  await database.query('DELETE FROM login_failures WHERE subject = ANY($1)', [subjects]);
}

/** @param codesBefore limit for wrong codes, which count for longer */
export async function deleteLoginFailuresBefore(
  database: Queryable,
  before: Date,
  codesBefore: Date,
): Promise<void> {
  await database.query(
    `DELETE FROM login_failures
      WHERE failed_at <= CASE WHEN starts_with(subject, $3) THEN $2::timestamptz ELSE $1::timestamptz END`,
    [before, codesBefore, CODES_PREFIX],
  );
}
