import { uuidTime } from '../platform/ids.ts';
import type { Scan } from './reader.ts';
import { all } from './where.ts';

interface Look {
  /** Further columns, of events. */
  columns: string;
  /** The events, newest first, as what stands after FROM. */
  events: string;
  /** What is looked for among them; empty: all of them. */
  sought: string[];
  /** At most so many are looked through. */
  limit: number;
}

/**
 * CTEs over a bounded number of events: `looked` are those that were looked through, with `found`; `scan` is the one
 * row that says how far that went. Where there are more events, the milliseconds of the first one beyond the limit are
 * left out as a whole, so that what is counted is exact from one instant on, and a further look may begin there.
 */
export function lookedThrough({ columns, events, sought, limit }: Look): string {
  return `read AS MATERIALIZED (
      SELECT id, severity, ${columns}, ${all(sought)} AS found FROM ${events} LIMIT ${limit + 1}
    ), edge AS MATERIALIZED (
      SELECT CASE WHEN count(*) > ${limit} THEN
        (SELECT (left(id::text, 13) || '-ffff-ffff-ffffffffffff')::uuid FROM read ORDER BY id LIMIT 1) END AS id
      FROM read
    ), looked AS (
      SELECT * FROM read WHERE (SELECT id FROM edge) IS NULL OR id > (SELECT id FROM edge)
    ), scan AS (
      SELECT (SELECT id FROM edge) AS "edgeId", (SELECT count(*) FROM looked) AS "scannedEvents"
    )`;
}

/** CTEs of the same names for what is counted without a look. */
export const NO_SCAN = 'scan AS (SELECT NULL::uuid AS "edgeId", 0 AS "scannedEvents")';

export interface ScanRow {
  edgeId: string | null;
  scannedEvents: number;
}

export function toScan(row: ScanRow | undefined): Scan | null {
  return row?.edgeId ? { fromMs: uuidTime(row.edgeId) + 1, events: row.scannedEvents } : null;
}
