import { uuidTime } from '../../platform/ids.ts';
import { type ArchiveConditions, AT, archivedId } from './archive-where.ts';
import { BLOCK_COLUMNS } from './block-rows.ts';
import type { ArchiveReadLimits, EventArchive } from './event-archive.ts';

/** An event of the archive as PostgreSQL reads it: its columns by their names there. */
export type ArchivedRow = Readonly<Record<string, unknown>> & { id: string };

interface RowsRequest {
  conditions: ArchiveConditions;
  order: 'asc' | 'desc';
  /** UUID of the event after which they begin; null: they begin with the first. */
  cursor: string | null;
  limit: number;
  omitPayload: boolean;
  /** Bytes after which no further row is read; the row that exceeds them is. */
  maxBytes: number;
}

interface ArchivedRows {
  rows: ArchivedRow[];
  /** True if there may be further ones. */
  hasMore: boolean;
}

const UUID = "leftPad(lower(hex(id)), 32, '0')";
const TIME = "concat(toString(received_at), '+00')";
/** Columns whose values are JSON in a text. */
export const JSON_TEXTS: readonly string[] = ['correlation', 'payload', 'scrubbed'];
const CONVERTED = ['event_id', 'received_at', 'amount', 'payload', 'block'];
/** Columns that are read as they are. */
const PLAIN = BLOCK_COLUMNS.filter((column) => !CONVERTED.includes(column)).join(', ');

/** Events in the order of their ids. A row's texts of JSON stay texts: PostgreSQL parses them. */
export async function listArchivedRows(
  archive: Pick<EventArchive, 'query'>,
  request: RowsRequest,
  limits: ArchiveReadLimits,
): Promise<ArchivedRows> {
  const { conditions, order, limit, omitPayload, maxBytes } = request;
  const payload = omitPayload ? "'{}'" : 'payload';
  const where = [...conditions.where, ...cursorWhere(request)].join(' AND ');
  const read = `SELECT at, id, received_at, amount, ${PLAIN}, ${payload} AS payload,
        length(message) + length(correlation) + length(payload) AS size
      FROM events WHERE ${where} ORDER BY at ${order}, id ${order} LIMIT ${limit}`;
  const summed = `SELECT *, sum(size) OVER (ORDER BY at ${order}, id ${order} ROWS UNBOUNDED PRECEDING) AS bytes FROM (${read})`;
  const rows = await archive.query<ArchivedRow & { bytes: number }>(
    `SELECT ${UUID} AS event_id, ${TIME} AS received, toString(amount) AS units, ${PLAIN}, payload, bytes
      FROM (${summed}) WHERE bytes - size <= ${maxBytes} ORDER BY at ${order}, id ${order}`,
    conditions.parameters,
    limits,
  );
  const last = rows.at(-1);
  return {
    rows: rows.map(toRow),
    hasMore: rows.length === limit || (last !== undefined && last.bytes > maxBytes),
  };
}

/** Time of the oldest event of the archive; null: it has none. */
export async function findOldestMs(
  archive: Pick<EventArchive, 'query'>,
  limits: ArchiveReadLimits,
): Promise<number | null> {
  const [found] = await archive.query<{ events: number; ms: number }>(
    'SELECT count() AS events, toUnixTimestamp64Milli(min(at)) AS ms FROM events',
    {},
    limits,
  );
  return found && found.events > 0 ? found.ms : null;
}

/** Bounds of the time as well: those of an id within its moment are no use to the key. */
function cursorWhere({ conditions, cursor, order }: RowsRequest): string[] {
  if (cursor === null) return [];
  const atMs = uuidTime(cursor);
  const sign = order === 'asc' ? '>' : '<';
  return [
    conditions.bind(`at ${sign}= ${AT}`, atMs),
    conditions.bind(`(at ${sign} ${AT} OR id ${sign} {?:UInt128})`, atMs, archivedId(cursor)),
  ];
}

function toRow({ event_id, received, units, bytes: _bytes, ...columns }: ArchivedRow): ArchivedRow {
  const isAsSent = Array.isArray(columns.changed) && columns.changed.length === 0;
  return {
    ...columns,
    id: String(event_id),
    received_at: received,
    amount: units,
    changed: isAsSent ? null : columns.changed,
  };
}
