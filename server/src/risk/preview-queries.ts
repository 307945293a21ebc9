import type { Severity } from '../events/severity.ts';
import { all } from '../events/where.ts';
import type { Queryable } from '../platform/database.ts';
import { IN_RANGE, MINUTE_MS, type TimeRange } from './past-count-queries.ts';

const PIECE_ROWS = 2_000;

/** Events of one type, severity and source in a minute. */
export interface PastCount {
  minuteMs: number;
  type: string;
  severity: Severity;
  source: string | null;
  count: number;
}

/**
 * The counts of all series of a project, oldest first, in pieces: however many there are, few are in memory.
 * @param transaction holds the cursor; it has to stay open until the last piece was taken
 */
export async function* readPastCounts(
  transaction: Queryable,
  organizationId: string,
  projectId: string,
  { fromMs, toMs }: TimeRange,
): AsyncGenerator<PastCount[]> {
  await transaction.query(
    `DECLARE past_counts NO SCROLL CURSOR FOR
      SELECT ${MINUTE_MS}, type, severity, source, count FROM event_counts
      WHERE ${all(IN_RANGE)} ORDER BY minute`,
    [organizationId, projectId, new Date(fromMs), new Date(toMs)],
  );
  for (;;) {
    const { rows } = await transaction.query<PastCount>(`FETCH ${PIECE_ROWS} FROM past_counts`);
    yield rows;
    if (rows.length < PIECE_ROWS) break;
  }
  await transaction.query('CLOSE past_counts');
}

/** The first minute of a range that holds anything; null: none does. */
export async function findFirstCountedMinute(
  database: Queryable,
  organizationId: string,
  projectId: string,
  { fromMs, toMs }: TimeRange,
): Promise<number | null> {
  const { rows } = await database.query<{ minuteMs: number }>(
    `SELECT ${MINUTE_MS} FROM event_counts WHERE ${all(IN_RANGE)} ORDER BY minute LIMIT 1`,
    [organizationId, projectId, new Date(fromMs), new Date(toMs)],
  );
  return rows[0]?.minuteMs ?? null;
}

/**
 * The series of a project that counted in a range, each as one text, and how many rows it has in all.
 * @param limit series beyond it are left out, their rows are not
 */
export async function listCountedSeries(
  database: Queryable,
  organizationId: string,
  projectId: string,
  { fromMs, toMs }: TimeRange,
  limit: number,
): Promise<{ series: string[]; rows: number }> {
  const { rows } = await database.query<{ series: string; rows: number }>(
    `SELECT jsonb_build_array(type, severity, source)::text AS series, sum(count(*)) OVER ()::bigint AS rows
      FROM event_counts WHERE ${all(IN_RANGE)} GROUP BY type, severity, source LIMIT $5`,
    [organizationId, projectId, new Date(fromMs), new Date(toMs), limit],
  );
  return { series: rows.map(({ series }) => series), rows: rows[0]?.rows ?? 0 };
}
