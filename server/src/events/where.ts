import { uuidLowerBound, uuidTime } from '../platform/ids.ts';
import { LIVE_PROJECTS } from '../tenancy/projects/queries.ts';
import type { EventConditions } from './reader.ts';

/*
 * Conditions as SQL, for an organization in `$1`; what they compare with goes into `values`. They come in two
 * kinds, since what no index serves is looked for among a bounded number of events.
 */

/** Bounds what one request costs: how many events are looked through for what no index serves. */
export function maxLookedThrough({ correlationId, fingerprint }: EventConditions): number {
  // Neighbours in time lie side by side on the disk; those of a correlation or a fingerprint lie scattered.
  return correlationId === null && fingerprint === null ? 100_000 : 50_000;
}

/** Words are looked for in the beginning of a message: its rest would cost as much as many other messages. */
const SEARCHED_CHARACTERS = 2_000;

/** What an index serves: the organization and its projects, correlation, fingerprint and time. */
export function indexedWhere(conditions: EventConditions, values: unknown[]): string[] {
  const where = ['organization_id = $1', LIVE_PROJECTS, ...projectWhere(conditions, values)];
  if (conditions.correlationId !== null)
    where.push(`correlation_id = ${bind(values, conditions.correlationId)}`);
  if (conditions.fingerprint !== null) where.push(`fingerprint = ${bind(values, conditions.fingerprint)}`);
  // The first 48 bits of an id are its time: bounds of time are bounds of ids.
  if (conditions.afterMs !== null)
    where.push(`id >= ${bind(values, uuidLowerBound(conditions.afterMs + 1))}`);
  if (conditions.beforeMs !== null) where.push(`id < ${bind(values, uuidLowerBound(conditions.beforeMs))}`);
  return where;
}

/** What no index of events serves: type, severity, source and words. */
export function soughtWhere(conditions: EventConditions, values: unknown[]): string[] {
  const where = seriesWhere(conditions, values);
  for (const word of conditions.words)
    where.push(`left(message, ${SEARCHED_CHARACTERS}) ILIKE ${bind(values, `%${escapeLike(word)}%`)}`);
  return where;
}

/** The same over `event_counts`, without the time. */
export function countsWhere(conditions: EventConditions, values: unknown[]): string[] {
  return [
    'organization_id = $1',
    LIVE_PROJECTS,
    ...projectWhere(conditions, values),
    ...seriesWhere(conditions, values),
  ];
}

/** A table `minutes` of the newest ones that hold what is sought, each as bounds of ids. */
export function minutesOf(
  conditions: EventConditions,
  cursor: string | null,
  limit: number | null,
  values: unknown[],
): string {
  return minutesWhere(countsWhere(conditions, values), conditions, cursor, limit, values);
}

/** The same for counts under any conditions. */
export function minutesWhere(
  conditions: string[],
  { afterMs, beforeMs }: Pick<EventConditions, 'afterMs' | 'beforeMs'>,
  cursor: string | null,
  limit: number | null,
  values: unknown[],
): string {
  const where = [...conditions];
  const endMs = Math.min(
    beforeMs ?? Number.POSITIVE_INFINITY,
    cursor ? uuidTime(cursor) + 1 : Number.POSITIVE_INFINITY,
  );
  if (afterMs !== null) where.push(`minute > ${bind(values, new Date(afterMs - 59_999))}`);
  if (Number.isFinite(endMs)) where.push(`minute < ${bind(values, new Date(endMs))}`);
  const idAt = (time: string) =>
    `(lpad(to_hex((extract(epoch FROM ${time}) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid`;
  return `(
      SELECT ${idAt('minute')} AS first_id, ${idAt("minute + interval '1 minute'")} AS end_id
      FROM (
        SELECT DISTINCT minute FROM event_counts WHERE ${all(where)} ORDER BY minute DESC LIMIT ${bind(values, limit)}
      ) AS held
    ) AS minutes`;
}

/** Whether `event_counts` knows all that the conditions ask for. */
export function isCounted({ correlationId, fingerprint, words }: EventConditions): boolean {
  return correlationId === null && fingerprint === null && words.length === 0;
}

function projectWhere({ projectId }: EventConditions, values: unknown[]): string[] {
  return projectId === null ? [] : [`project_id = ${bind(values, projectId)}`];
}

function seriesWhere({ type, severity, source }: EventConditions, values: unknown[]): string[] {
  const where: string[] = [];
  if (type !== null) where.push(`type = ${bind(values, type)}`);
  if (severity !== null) where.push(`severity = ${bind(values, severity)}`);
  if (source !== null) where.push(`source = ${bind(values, source)}`);
  return where;
}

/** Adds a value and returns its placeholder. */
export function bind(values: unknown[], value: unknown): string {
  values.push(value);
  return `$${values.length}`;
}

/** Conditions joined; true where there are none. */
export function all(where: string[]): string {
  return where.length > 0 ? where.join(' AND ') : 'true';
}

function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
