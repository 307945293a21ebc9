import type { Queryable } from '../database/database.ts';
import { nameOfNumber } from '../environments/numbers.ts';
import { uuidTime } from '../platform/ids.ts';
import type { ListedEventRow } from './event-row.ts';
import { MORE_FINGERPRINT } from './group-queries.ts';
import type { EventPage, PageRequest, Scan } from './read-types.ts';
import { all } from './where.ts';

/** Maximum bytes of a page of events, which has one event at least. */
const MAX_PAGE_BYTES = 8 * 1024 * 1024;

/**
 * SQL of the group of an event in the table: the one that its fingerprint leads to, else the one for all events
 * beyond the limit on new groups.
 */
const groupOf = (table: string) => `(
    SELECT coalesce(g.merged_into, g.id) FROM groups AS g WHERE g.id = coalesce(
      (SELECT f.group_id FROM group_fingerprints AS f
        WHERE f.project_id = ${table}.project_id AND f.fingerprint = ${table}.fingerprint),
      (SELECT f.group_id FROM group_fingerprints AS f
        WHERE f.project_id = ${table}.project_id AND f.fingerprint = '${MORE_FINGERPRINT}')))`;

/** Columns of events, under the table's name in the query, for a `ListedEventRow` without payload. */
const listedColumns = (table: string) =>
  `id, organization_id AS "organizationId", project_id AS "projectId", received_at AS "receivedAt", severity, type, source,
  message, correlation_id AS "correlationId", fingerprint, ${groupOf(table)} AS "groupId", release,
  ${nameOfNumber(`${table}.environment`, `${table}.project_id`)} AS environment, correlation,
  amount, currency, changed, scrubbed, weight`;

/** Columns for an `EventRow`. */
export const eventColumns = (table: string) => `${listedColumns(table)}, payload`;

/** Bytes of an event's names, ids and times as JSON, beside the fields whose length varies widely. */
const FIXED_BYTES = 512;
/** Approximate length of an event as JSON in bytes; only this reads its long values. */
const bytesOf = (
  omitPayload: boolean,
) => `octet_length(to_json(message)::text) + octet_length(correlation::text)
  + octet_length(correlation_id)${omitPayload ? '' : ' + octet_length(payload::text)'} + ${FIXED_BYTES}`;

export interface EventScan {
  /** Events in the page's order and after its cursor, as SQL after FROM. */
  events: string;
  /** Conditions on them; empty: all of them match. */
  filter: string[];
  /** Maximum scanned events; null: no more than the page holds. */
  limit: number | null;
}

type PageRow = (ListedEventRow | { id: null }) & { foundRows: number; lastId: string | null };

/**
 * One page of a scan's results. If the scan ends before the page is full, the next page begins there. Bytes are added
 * up from the newest event on, so that nothing behind the first event that does not fit is read from TOAST or leaves
 * the database.
 */
export async function findEventPage(
  database: Queryable,
  { events, filter, limit: scanLimit }: EventScan,
  { limit, omitPayload, order = 'desc' }: PageRequest,
  values: unknown[],
): Promise<EventPage> {
  const newest =
    scanLimit === null
      ? `SELECT *, NULL::uuid AS last_id FROM ${events} LIMIT ${limit + 1}`
      : `SELECT event.*, CASE WHEN hits.last THEN hits.id END AS last_id FROM (
            SELECT id, found, last FROM (
              SELECT id, found, row_number() OVER () = ${scanLimit} AS last
              FROM (SELECT id, ${all(filter)} AS found FROM ${events} OFFSET 0) AS scanned LIMIT ${scanLimit}
            ) AS scanned WHERE found OR last LIMIT ${limit + 1}
          ) AS hits LEFT JOIN LATERAL (
            SELECT * FROM events WHERE hits.found AND id = hits.id OFFSET 0
          ) AS event ON true`;
  const { rows } = await database.query<PageRow>(
    `WITH read AS MATERIALIZED (
        ${newest}
      ), numbered AS MATERIALIZED (
        SELECT *, row_number() OVER (ORDER BY id ${order}) AS place FROM read WHERE id IS NOT NULL
      ), sums AS (
        SELECT place, sum(${bytesOf(omitPayload)}) OVER (ORDER BY place ROWS UNBOUNDED PRECEDING) AS bytes
        FROM numbered
      ), page AS (
        SELECT * FROM numbered WHERE place = 1 OR place <= ${limit}
          AND place < coalesce((SELECT place FROM sums WHERE bytes > ${MAX_PAGE_BYTES} LIMIT 1), ${limit + 1})
      )
      SELECT whole.*, page.* FROM (
          SELECT (SELECT count(*) FROM numbered) AS "foundRows", (SELECT last_id FROM read WHERE last_id IS NOT NULL) AS "lastId"
        ) AS whole LEFT JOIN (
          SELECT ${omitPayload ? listedColumns('page') : eventColumns('page')} FROM page
        ) AS page ON true ORDER BY page.id ${order}`,
    values,
  );
  const { foundRows = 0, lastId = null } = rows[0] ?? {};
  const found = rows.filter((row) => row.id !== null);
  if (found.length < foundRows) return { rows: found, next: found.at(-1)?.id ?? null, scan: null };
  return {
    rows: found,
    next: lastId,
    scan: lastId && scanLimit !== null ? scanTo(uuidTime(lastId), scanLimit, order) : null,
  };
}

function scanTo(edgeMs: number, events: number, order: 'asc' | 'desc'): Scan {
  return order === 'asc' ? { fromMs: edgeMs, events, isForward: true } : { fromMs: edgeMs + 1, events };
}
