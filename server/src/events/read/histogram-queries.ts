import type { Queryable } from '../../database/database.ts';
import { HOUR_MS } from '../../platform/durations.ts';
import { uuidLowerBound } from '../../platform/ids.ts';
import { wholeMinutes } from '../conditions.ts';
import { countsByPart, QUARTER_MS } from '../counts/count-parts.ts';
import { findRolledHours, noRolledHours } from '../counts/rolled-hours.ts';
import { eventCount } from '../event-count.ts';
import { findScan } from '../pair-queries.ts';
import type { BoundedConditions, Histogram } from '../read-types.ts';
import { type ScanRow, scanNewest, toScan } from '../scan-newest.ts';
import { all, answerableFromCounts, bind, filterWhere, indexedWhere } from '../where.ts';

type Counts = Histogram['counts'];

export async function countByBucket(
  database: Queryable,
  organizationId: string,
  conditions: BoundedConditions,
  intervalMs: number,
): Promise<Histogram> {
  if (!answerableFromCounts(conditions)) return countNewest(database, organizationId, conditions, intervalMs);

  const { firstMinuteMs, endMinuteMs } = wholeMinutes(conditions);
  if (firstMinuteMs >= endMinuteMs)
    return { counts: await countEvents(database, organizationId, conditions, intervalMs), scan: null };
  // One after the other: a read has one connection.
  const counts = [
    ...(await countMinutes(database, organizationId, conditions, intervalMs)),
    ...(await countEvents(database, organizationId, { ...conditions, beforeMs: firstMinuteMs }, intervalMs)),
    ...(await countEvents(database, organizationId, { ...conditions, afterMs: endMinuteMs - 1 }, intervalMs)),
  ];
  return { counts, scan: null };
}

async function countMinutes(
  database: Queryable,
  organizationId: string,
  conditions: BoundedConditions,
  intervalMs: number,
): Promise<Counts> {
  const minutes = wholeMinutes(conditions);
  const rolled =
    intervalMs % QUARTER_MS === 0
      ? await findRolledHours(database, organizationId, minutes)
      : noRolledHours(minutes);
  const values: unknown[] = [organizationId];
  const interval = `${bind(values, intervalMs)}::bigint`;
  const counts = countsByPart(
    conditions,
    {
      ...minutes,
      rolled,
      isByHour: intervalMs % HOUR_MS === 0,
      isBySeverity: true,
      columns: `(start_ms::bigint / ${interval}) * ${interval} AS "bucketStartMs", severity, sum(count) AS count`,
      groupBy: '1, 2',
    },
    values,
  );
  const { rows } = await database.query<Counts[number]>(
    `SELECT "bucketStartMs", severity, sum(count)::bigint AS count FROM (${counts}) AS counted GROUP BY 1, 2`,
    values,
  );
  return rows;
}

/** Counts the events themselves, for a range shorter than a minute or two. */
async function countEvents(
  database: Queryable,
  organizationId: string,
  conditions: BoundedConditions,
  intervalMs: number,
): Promise<Counts> {
  if (conditions.beforeMs - conditions.afterMs <= 1) return [];
  const values: unknown[] = [organizationId];
  const where = [...indexedWhere(conditions, values), ...filterWhere(conditions, values)];
  const { rows } = await database.query<Counts[number] & { bucket: number }>(
    `SELECT width_bucket(id, ${bind(values, bucketBounds(conditions, intervalMs))}::uuid[]) AS bucket,
        severity, ${eventCount()} AS count
      FROM events WHERE ${all(where)} GROUP BY 1, 2`,
    values,
  );
  return rows.map((row) => toCount(row, conditions, intervalMs));
}

/** Counts the newest events only. If there are more, the buckets before them stay unknown. */
export async function countNewest(
  database: Queryable,
  organizationId: string,
  conditions: BoundedConditions,
  intervalMs: number,
): Promise<Histogram> {
  const values: unknown[] = [organizationId];
  const scan = scanNewest({
    columns: `width_bucket(id, ${bind(values, bucketBounds(conditions, intervalMs))}::uuid[]) AS bucket, weight`,
    ...(await findScan(database, organizationId, conditions, values)),
  });
  const { rows } = await database.query<ScanRow & Counts[number] & { bucket: number | null }>(
    `WITH ${scan}, counts AS (SELECT bucket, severity, ${eventCount()} AS count FROM scanned WHERE found GROUP BY 1, 2)
      SELECT * FROM scan LEFT JOIN counts ON true`,
    values,
  );
  const counts = rows.flatMap(({ bucket, severity, count }) =>
    bucket === null ? [] : [toCount({ bucket, severity, count }, conditions, intervalMs)],
  );
  return { counts, scan: toScan(rows[0]) };
}

/** First ids of all buckets but the first. */
function bucketBounds({ afterMs, beforeMs }: BoundedConditions, intervalMs: number): string[] {
  const bounds: string[] = [];
  const firstMs = Math.floor((afterMs + 1) / intervalMs) * intervalMs;
  for (let startMs = firstMs + intervalMs; startMs < beforeMs; startMs += intervalMs)
    bounds.push(uuidLowerBound(startMs));
  return bounds;
}

function toCount(
  { bucket, severity, count }: { bucket: number; severity: Counts[number]['severity']; count: number },
  { afterMs }: BoundedConditions,
  intervalMs: number,
): Counts[number] {
  return { bucketStartMs: (Math.floor((afterMs + 1) / intervalMs) + bucket) * intervalMs, severity, count };
}
