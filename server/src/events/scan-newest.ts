import { uuidTime } from '../platform/ids.ts';
import type { Scan } from './read-types.ts';
import { all } from './where.ts';

interface NewestScan {
  /** Further columns, of events. */
  columns: string;
  /** Events, newest first, as SQL after FROM. */
  events: string;
  /** Conditions on them; empty: all of them match. */
  filter: string[];
  /** Maximum scanned events. */
  limit: number;
}

/**
 * CTEs over a bounded number of events: `scanned` has them, with `found` if they match; `scan` is one row with the
 * progress of the scan. If there are more events, the whole millisecond of the first one beyond the limit is left
 * out, so that counts are exact from one instant on, and the next scan may begin there.
 */
export function scanNewest({ columns, events, filter, limit }: NewestScan): string {
  return `read AS MATERIALIZED (
      SELECT id, severity, ${columns}, ${all(filter)} AS found FROM ${events} LIMIT ${limit + 1}
    ), edge AS MATERIALIZED (
      SELECT CASE WHEN count(*) > ${limit} THEN
        (SELECT (left(id::text, 13) || '-ffff-ffff-ffffffffffff')::uuid FROM read ORDER BY id LIMIT 1) END AS id
      FROM read
    ), scanned AS (
      SELECT * FROM read WHERE (SELECT id FROM edge) IS NULL OR id > (SELECT id FROM edge)
    ), scan AS (
      SELECT (SELECT id FROM edge) AS "edgeId", (SELECT count(*) FROM scanned) AS "scannedEvents"
    )`;
}

/** A CTE of the same name for an answer that needs no scan. */
export const NO_SCAN = 'scan AS (SELECT NULL::uuid AS "edgeId", 0 AS "scannedEvents")';

export interface ScanRow {
  edgeId: string | null;
  scannedEvents: number;
}

export function toScan(row: ScanRow | undefined): Scan | null {
  return row?.edgeId ? { fromMs: uuidTime(row.edgeId) + 1, events: row.scannedEvents } : null;
}
