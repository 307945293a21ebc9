import type { Queryable } from '../database/database.ts';
import { uuidTime } from '../platform/ids.ts';
import { eventCount } from './event-count.ts';
import { NO_EXCLUSIONS } from './exclusions.ts';
import type { CorrelationKeys, EventConditions } from './read-types.ts';
import { type ScanRow, scanNewest, toScan } from './scan-newest.ts';
import { all, bind, filterWhere, indexedPairWhere, indexedWhere, maxScanned } from './where.ts';

/** Number of the newest events in which a value is counted, and the count from which on it is frequent. */
const SAMPLED_EVENTS = 20_000;
const FREQUENT_EVENTS = 200;
/** Maximum events with the values that are read. */
export const MAX_BY_PAIRS = 50_000;

/**
 * True if the conditions have values of a correlation, and these are rare. Then their index finds the events of any
 * time. A frequent value has too many, all over the table: for it the newest events are scanned, which fill a page
 * from few.
 */
export async function isRareByPairs(
  database: Queryable,
  organizationId: string,
  conditions: EventConditions,
): Promise<boolean> {
  if (conditions.pairs.length === 0) return false;
  const values: unknown[] = [organizationId];
  const where = indexedWhere(conditions, values);
  const only = { ...NO_FILTER, pairs: conditions.pairs };
  const found = all(filterWhere({ ...conditions, ...only }, values));
  const { rows } = await database.query<{ count: number }>(
    `SELECT count(*) FILTER (WHERE found) AS count FROM (
        SELECT ${found} AS found FROM events WHERE ${all(where)} ORDER BY id DESC LIMIT ${SAMPLED_EVENTS}
      ) AS newest`,
    values,
  );
  return (rows[0]?.count ?? 0) < FREQUENT_EVENTS;
}

const NO_FILTER = {
  environment: null,
  isWatched: false,
  type: null,
  severity: null,
  source: null,
  release: null,
  paths: [],
  words: [],
  not: NO_EXCLUSIONS,
};

/** Events that a scan of the newest ones reads: by the index of values if these are rare, else by time. */
export async function findScan(
  database: Queryable,
  organizationId: string,
  conditions: EventConditions,
  values: unknown[],
): Promise<{ events: string; filter: string[]; limit: number }> {
  const isRare = await isRareByPairs(database, organizationId, conditions);
  const where = indexedWhere(conditions, values);
  if (isRare)
    return {
      events: `${byPairs(conditions, where, values)} ORDER BY id DESC`,
      filter: [],
      limit: MAX_BY_PAIRS,
    };
  const filter = filterWhere(conditions, values);
  return { events: `events WHERE ${all(where)} ORDER BY id DESC`, filter, limit: maxScanned(conditions) };
}

/** A table of the events that conditions on a correlation's values and others hold for: read by the index of values, not by time. */
export function byPairs(conditions: EventConditions, where: readonly string[], values: unknown[]): string {
  const { pairs } = conditions;
  const indexed = pairs.map((pair) => indexedPairWhere(pair, values));
  const others = filterWhere({ ...conditions, pairs: [] }, values);
  return `(SELECT * FROM events WHERE ${all([...indexed, ...where, ...others])} OFFSET 0) AS event`;
}

/** Maximum keys of a value: it may occur under any number, and more of them say nothing about its meaning. */
export const MAX_KEYS = 20;

interface KeyRow extends ScanRow {
  key: string | null;
  count: number;
  firstId: string;
  lastId: string;
}

/** The keys under which events have a value, which is among the conditions. */
export async function countCorrelationKeys(
  database: Queryable,
  organizationId: string,
  conditions: EventConditions,
  value: string,
): Promise<CorrelationKeys> {
  const values: unknown[] = [organizationId];
  const { events, filter, limit } = await findScan(database, organizationId, conditions, values);
  const keys = `ARRAY(SELECT key FROM jsonb_each_text(correlation) WHERE value = ${bind(values, value)})`;
  const scan = scanNewest({
    columns: `CASE WHEN ${all(filter)} THEN ${keys} END AS keys, weight`,
    events,
    filter,
    limit,
  });
  const { rows } = await database.query<KeyRow>(
    `WITH ${scan}, held AS (
        SELECT key, ${eventCount()} AS count, min(id::text COLLATE "C") AS "firstId", max(id::text COLLATE "C") AS "lastId"
        FROM scanned CROSS JOIN LATERAL unnest(keys) AS key WHERE found
        GROUP BY key ORDER BY count DESC, key LIMIT ${MAX_KEYS}
      )
      SELECT scan.*, held.* FROM scan LEFT JOIN held ON true ORDER BY held.count DESC, held.key`,
    values,
  );
  return {
    keys: rows.flatMap(({ key, count, firstId, lastId }) =>
      key === null ? [] : [{ key, count, firstMs: uuidTime(firstId), lastMs: uuidTime(lastId) }],
    ),
    scan: toScan(rows[0]),
  };
}
