import type { Pool } from '../platform/database.ts';
import { uuidLowerBound } from '../platform/ids.ts';
import { LIVE_PROJECTS } from '../projects/queries.ts';
import type { EventConditions, EventReader, SeverityCounts } from './reader.ts';
import type { EventRow } from './schema.ts';

/** The columns of `events` as an `EventRow`. */
export const EVENT_COLUMNS = `id, organization_id AS "organizationId", project_id AS "projectId", received_at AS "receivedAt",
  severity, type, source, message, correlation_id AS "correlationId", fingerprint, release, correlation, payload`;

/** The event store in PostgreSQL. */
export function createEventReader(pool: Pool): EventReader {
  return {
    async list(organizationId, conditions, { cursor, limit }) {
      const values: unknown[] = [organizationId];
      const where = toWhere(conditions, values);
      if (cursor) where.push(`id < ${bind(values, cursor)}`);
      const { rows } = await pool.query<EventRow>(
        `SELECT ${EVENT_COLUMNS} FROM events WHERE ${where.join(' AND ')}
          ORDER BY id DESC LIMIT ${bind(values, limit + 1)}`,
        values,
      );
      return rows;
    },

    async find(organizationId, eventId) {
      const { rows } = await pool.query<EventRow>(
        `SELECT ${EVENT_COLUMNS} FROM events WHERE organization_id = $1 AND id = $2 AND ${LIVE_PROJECTS}`,
        [organizationId, eventId],
      );
      return rows[0] ?? null;
    },

    histogram(organizationId, conditions, intervalMs) {
      const counted = !conditions.correlationId && !conditions.fingerprint && conditions.words.length === 0;
      return counted
        ? countFromMinutes(pool, organizationId, conditions, intervalMs)
        : countFromEvents(pool, organizationId, conditions, intervalMs);
    },
  };
}

/** Conditions as SQL over `events`, for an organization in `$1`; what they compare with goes into `values`. */
function toWhere(conditions: EventConditions, values: unknown[]): string[] {
  const where = ['organization_id = $1', LIVE_PROJECTS, ...seriesWhere(conditions, values)];
  if (conditions.correlationId !== null)
    where.push(`correlation_id = ${bind(values, conditions.correlationId)}`);
  if (conditions.fingerprint !== null) where.push(`fingerprint = ${bind(values, conditions.fingerprint)}`);
  // Not indexed: the newest events are looked through until the page is full.
  for (const word of conditions.words) where.push(`message ILIKE ${bind(values, `%${escapeLike(word)}%`)}`);
  // The first 48 bits of an id are its time: bounds of time are bounds of ids.
  if (conditions.afterMs !== null)
    where.push(`id >= ${bind(values, uuidLowerBound(conditions.afterMs + 1))}`);
  if (conditions.beforeMs !== null) where.push(`id < ${bind(values, uuidLowerBound(conditions.beforeMs))}`);
  return where;
}

function seriesWhere(conditions: EventConditions, values: unknown[]): string[] {
  const where: string[] = [];
  if (conditions.projectId !== null) where.push(`project_id = ${bind(values, conditions.projectId)}`);
  if (conditions.type !== null) where.push(`type = ${bind(values, conditions.type)}`);
  if (conditions.severity !== null) where.push(`severity = ${bind(values, conditions.severity)}`);
  if (conditions.source !== null) where.push(`source = ${bind(values, conditions.source)}`);
  return where;
}

const MINUTE_MS = 60_000;

interface Bounded extends EventConditions {
  afterMs: number;
  beforeMs: number;
}

/** Whole minutes come from their counts; what the bounds cut off at both ends is counted from the events. */
async function countFromMinutes(
  pool: Pool,
  organizationId: string,
  conditions: Bounded,
  intervalMs: number,
): Promise<SeverityCounts[]> {
  const firstMinute = Math.ceil((conditions.afterMs + 1) / MINUTE_MS) * MINUTE_MS;
  const endMinute = Math.floor(conditions.beforeMs / MINUTE_MS) * MINUTE_MS;
  if (endMinute <= firstMinute) return countFromEvents(pool, organizationId, conditions, intervalMs);

  const values: unknown[] = [organizationId];
  const where = ['organization_id = $1', LIVE_PROJECTS, ...seriesWhere(conditions, values)];
  where.push(
    `minute >= ${bind(values, new Date(firstMinute))}`,
    `minute < ${bind(values, new Date(endMinute))}`,
  );
  const whole = pool.query<SeverityCounts>(
    `SELECT ${bucketOf('extract(epoch FROM minute) * 1000', intervalMs, values)} AS "bucketStartMs",
        severity, sum(count)::bigint AS count
      FROM event_counts WHERE ${where.join(' AND ')} GROUP BY 1, 2`,
    values,
  );
  const [{ rows }, head, tail] = await Promise.all([
    whole,
    countFromEvents(pool, organizationId, { ...conditions, beforeMs: firstMinute }, intervalMs),
    countFromEvents(pool, organizationId, { ...conditions, afterMs: endMinute - 1 }, intervalMs),
  ]);
  return [...head, ...rows, ...tail];
}

async function countFromEvents(
  pool: Pool,
  organizationId: string,
  conditions: Bounded,
  intervalMs: number,
): Promise<SeverityCounts[]> {
  if (conditions.beforeMs - conditions.afterMs <= 1) return [];
  const values: unknown[] = [organizationId];
  const where = toWhere(conditions, values);
  const timeMs = `('x' || lpad(left(replace(id::text, '-', ''), 12), 16, '0'))::bit(64)::bigint`;
  const { rows } = await pool.query<SeverityCounts>(
    `SELECT ${bucketOf(timeMs, intervalMs, values)} AS "bucketStartMs", severity, count(*) AS count
      FROM events WHERE ${where.join(' AND ')} GROUP BY 1, 2`,
    values,
  );
  return rows;
}

function bucketOf(timeMs: string, intervalMs: number, values: unknown[]): string {
  const interval = `${bind(values, intervalMs)}::bigint`;
  return `((${timeMs})::bigint / ${interval}) * ${interval}`;
}

/** Adds a value and returns its placeholder. */
function bind(values: unknown[], value: unknown): string {
  values.push(value);
  return `$${values.length}`;
}

function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
