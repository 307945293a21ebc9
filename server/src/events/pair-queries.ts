import type { Queryable } from '../database/database.ts';
import type { EventConditions } from './reader.ts';
import { all, filterWhere, indexedWhere, maxScanned } from './where.ts';

/** So many of the newest events tell whether a value is frequent, and at so many of them it is. */
const SAMPLED_EVENTS = 20_000;
const FREQUENT_EVENTS = 200;
/** Events with the values that are read at most. */
export const MAX_BY_PAIRS = 50_000;

/**
 * Whether the conditions have values of a correlation, and these are rare. Then their index finds the events of any time. A
 * frequent value has too many, all over the table: for it the newest events are scanned, which fill a page from few.
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

const NO_FILTER = { type: null, severity: null, source: null, release: null, paths: [], words: [] };

/** What a scan of the newest events reads: by the index of values where these are rare, else by time. */
export async function findScan(
  database: Queryable,
  organizationId: string,
  conditions: EventConditions,
  values: unknown[],
): Promise<{ events: string; filter: string[]; limit: number }> {
  const isRare = await isRareByPairs(database, organizationId, conditions);
  const where = indexedWhere(conditions, values);
  const filter = filterWhere(conditions, values);
  return isRare
    ? { events: `${byPairs([...where, ...filter])} ORDER BY id DESC`, filter: [], limit: MAX_BY_PAIRS }
    : { events: `events WHERE ${all(where)} ORDER BY id DESC`, filter, limit: maxScanned(conditions) };
}

/** A table of events under these conditions, one of them on a correlation's values: read by the index of those, not by time. */
export function byPairs(where: string[]): string {
  return `(SELECT * FROM events WHERE ${all(where)} OFFSET 0) AS event`;
}
