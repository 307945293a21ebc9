import type { Queryable } from '../../database/database.ts';
import type { TimeRange } from '../../events/read-types.ts';
import { all } from '../../events/where.ts';
import { IN_RANGE, MINUTE_COLUMN } from '../counts/count-queries.ts';
import type { PastCount } from './count-pieces.ts';

/** Rows of a piece: reading them blocks the event loop for a few milliseconds. */
const PIECE_ROWS = 1_000;

/**
 * The counts of all series of a project, oldest first, in pieces of at most 2,000. Always in the same order, since
 * which series are told apart depends on it.
 * @param transaction holds the cursor; it must stay open until the last piece was taken
 */
export async function* readPastCounts(
  transaction: Queryable,
  organizationId: string,
  projectId: string,
  { fromMs, toMs }: TimeRange,
): AsyncGenerator<PastCount[]> {
  await transaction.query(
    `DECLARE past_counts NO SCROLL CURSOR FOR
      SELECT ${MINUTE_COLUMN}, type, severity, source, count - alerts AS count, failed_payments AS "failedPayments" FROM event_counts
      WHERE ${all(IN_RANGE)} AND count > alerts ORDER BY minute, severity, type, source`,
    [organizationId, projectId, new Date(fromMs), new Date(toMs)],
  );
  for (;;) {
    const { rows } = await transaction.query<StoredCount>(`FETCH ${PIECE_ROWS} FROM past_counts`);
    yield rows.flatMap(toPastCounts);
    if (rows.length < PIECE_ROWS) break;
  }
  await transaction.query('CLOSE past_counts');
}

interface StoredCount extends PastCount {
  /** Part of `count` with a severity milder than error. */
  failedPayments: number;
}

/** Counts as the live detector has them: a failed payment is an error, whatever severity it is stored with. */
function toPastCounts({ failedPayments, ...stored }: StoredCount): PastCount[] {
  if (failedPayments === 0) return [stored];
  const failed: PastCount = { ...stored, severity: 'error', count: failedPayments };
  const others = stored.count - failedPayments;
  return others > 0 ? [{ ...stored, count: others }, failed] : [failed];
}

export interface CountedRange {
  /** Series, each as one text. */
  series: string[];
  /** Rows of all series. */
  rows: number;
  /** First minute with a count; null: none has one. */
  firstMinuteMs: number | null;
}

/** @param limit series beyond it are left out */
export async function findCountedRange(
  database: Queryable,
  organizationId: string,
  projectId: string,
  { fromMs, toMs, limit }: TimeRange & { limit: number },
): Promise<CountedRange> {
  const { rows: groups } = await database.query<{ series: string; rows: number; minuteMs: number }>(
    `SELECT jsonb_build_array(type, severity, source)::text AS series, (sum(count(*)) OVER ())::bigint AS rows,
        (extract(epoch FROM min(min(minute)) OVER ()) * 1000)::bigint AS "minuteMs"
      FROM event_counts WHERE ${all(IN_RANGE)} AND count > alerts GROUP BY type, severity, source LIMIT $5`,
    [organizationId, projectId, new Date(fromMs), new Date(toMs), limit],
  );
  const [first] = groups;
  return {
    series: groups.map(({ series }) => series),
    rows: first?.rows ?? 0,
    firstMinuteMs: first?.minuteMs ?? null,
  };
}
