import { FIXED_NUMBERS, isOfWatched } from '../environments/numbers.ts';
import { uuidLowerBound, uuidTime } from '../platform/ids.ts';
import { LIVE_PROJECTS } from '../tenancy/projects/queries.ts';
import { compared, hasKey, hasOneOfKeys } from './event-keys.ts';
import type { EventConditions } from './read-types.ts';
import { isOfSeries } from './series-condition.ts';
import type { CorrelationPair } from './value-filters.ts';

/*
 * Conditions as SQL, for an organization in `$1`; the values that they compare with are added to `values`. There are
 * two kinds: those that an index serves, and filters, which are applied to a bounded number of events. By hand: a
 * builder such as pg-sql2 5 would only number the values.
 */

/** Maximum events that a filter without an index scans, which bounds the cost of a count. */
export function maxScanned({ correlationId, fingerprint, group, paths, not }: EventConditions): number {
  // Payloads are read whole, from another table if they are long.
  if (paths.length + not.paths.length > 0) return 20_000;
  // Events of neighbouring times share disk pages; those of a correlation or a fingerprint are scattered.
  const isScattered = correlationId !== null || fingerprint !== null || group !== null;
  return isScattered ? 50_000 : 100_000;
}

/**
 * The same for a page of a list, which has a next one. The events of one project, which may be a small one, lie
 * farther apart than those of all, and those of a correlation or a fingerprint are each on a disk page of its own.
 */
export function maxListed({ projectId, correlationId, fingerprint, group }: EventConditions): number {
  if (correlationId !== null || fingerprint !== null || (group && group.fingerprints !== null)) return 5_000;
  return projectId === null && group === null ? 20_000 : 10_000;
}

/**
 * Maximum characters of a message in which words are searched: the rest would cost as much as many other messages.
 */
const SEARCHED_CHARACTERS = 2_000;

/** The conditions that an index serves: the organization and its projects, correlation, fingerprint and time. */
export function indexedWhere(conditions: EventConditions, values: unknown[]): string[] {
  const keys = keysWhere(conditions, values);
  const ofOrganization =
    keys.length > 0 ? [...keys, compared(LIVE_PROJECTS)] : ['organization_id = $1', LIVE_PROJECTS];
  const where = [...ofOrganization, ...projectWhere(conditions, values)];
  if (conditions.group !== null) where.push(`project_id = ${bind(values, conditions.group.projectId)}`);
  // The first 48 bits of an id are its time, so bounds of time are bounds of ids.
  if (conditions.afterMs !== null)
    where.push(`id >= ${bind(values, uuidLowerBound(conditions.afterMs + 1))}`);
  if (conditions.beforeMs !== null) where.push(`id < ${bind(values, uuidLowerBound(conditions.beforeMs))}`);
  return where;
}

/** Conditions on keys, each with that on the organization. */
function keysWhere({ correlationId, fingerprint, group }: EventConditions, values: unknown[]): string[] {
  const where: string[] = [];
  if (correlationId !== null) where.push(hasKey('correlation_id', '$1', bind(values, correlationId)));
  if (fingerprint !== null) where.push(hasKey('fingerprint', '$1', bind(values, fingerprint)));
  if (!group?.fingerprints) return where;
  const bound = group.fingerprints.map((own) => bind(values, own));
  return [...where, hasOneOfKeys('fingerprint', '$1', bound)];
}

/** For the group of all further events: an event whose fingerprint leads to no group of its own. */
export const LEADS_NOWHERE = `NOT EXISTS (
  SELECT FROM group_fingerprints AS f WHERE f.project_id = events.project_id AND f.fingerprint = events.fingerprint)`;

/** The filters, which no index of events serves: type, severity, source, environment, release, words, and excluded values. */
export function filterWhere(conditions: EventConditions, values: unknown[]): string[] {
  const where = [...placeWhere(conditions, values), ...seriesWhere(conditions, values)];
  if (conditions.isWatched) where.push('is_alert IS NOT TRUE');
  if (conditions.release !== null) where.push(`release = ${bind(values, conditions.release)}`);
  if (conditions.group?.fingerprints === null) where.push(LEADS_NOWHERE);
  if (conditions.series !== null)
    where.push(isOfSeries(bind(values, JSON.stringify([conditions.series])), 'events'));
  for (const condition of valuesWhere(conditions, values)) where.push(condition);
  for (const condition of excludingWhere(conditions, values)) where.push(condition);
  for (const word of conditions.words)
    where.push(`left(message, ${SEARCHED_CHARACTERS}) ILIKE ${bind(values, `%${escapeLike(word)}%`)}`);
  return where;
}

/** The same over `event_counts`, without the time. */
export function countsWhere(conditions: EventConditions, values: unknown[]): string[] {
  return ['organization_id = $1', ...projectsWhere(conditions, values), ...seriesWhere(conditions, values)];
}

/** True if the conditions include all projects of the organization. */
export function isOfAllProjects({ projectId, environment, not }: EventConditions): boolean {
  return projectId === null && environment === null && not.projectIds.length + not.environments.length === 0;
}

/** True if the conditions include all types and sources. */
export function isOfAllSeries({ type, source, not }: EventConditions): boolean {
  return type === null && source === null && not.types.length + not.sources.length === 0;
}

/** `countsWhere` over counts of projects that meet the conditions on projects, and over the sums of an organization. */
export function projectCountsWhere(conditions: EventConditions, values: unknown[]): string[] {
  return ['organization_id = $1', ...seriesWhere(conditions, values)];
}

/** SQL: lower bound of the ids of events from a time on. */
export const idAt = (time: string) =>
  `(lpad(to_hex((extract(epoch FROM ${time}) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid`;
/** The ids of a column `minute`. */
export const MINUTE_BOUNDS = `${idAt('minute')} AS first_id, ${idAt("minute + interval '1 minute'")} AS end_id`;

export interface MinutesPage {
  /** Id before which the minutes may have events; null: all. */
  cursor: string | null;
  /** Maximum number of minutes; null: all. */
  limit: number | null;
}

/** A table `minutes`: the newest minutes with events that match the filter, each as bounds of ids. */
export function minutesOf(conditions: EventConditions, page: MinutesPage, values: unknown[]): string {
  const { afterMs, beforeMs } = conditions;
  return minutesWhere(countsWhere(conditions, values), { afterMs, beforeMs, ...page }, values);
}

/** The same for counts under any conditions. */
function minutesWhere(
  conditions: string[],
  { afterMs, beforeMs, cursor, limit }: MinutesPage & Pick<EventConditions, 'afterMs' | 'beforeMs'>,
  values: unknown[],
): string {
  const where = [...conditions];
  const endMs = Math.min(
    beforeMs ?? Number.POSITIVE_INFINITY,
    cursor ? uuidTime(cursor) + 1 : Number.POSITIVE_INFINITY,
  );
  if (afterMs !== null) where.push(`minute > ${bind(values, new Date(afterMs - 59_999))}`);
  if (Number.isFinite(endMs)) where.push(`minute < ${bind(values, new Date(endMs))}`);
  return `(
      SELECT ${MINUTE_BOUNDS} FROM (
        SELECT DISTINCT minute FROM event_counts WHERE ${all(where)} ORDER BY minute DESC LIMIT ${bind(values, limit)}
      ) AS held
    ) AS minutes`;
}

/** True if `event_counts` has every column that the conditions refer to. */
export function answerableFromCounts(conditions: EventConditions): boolean {
  const { correlationId, fingerprint, group, series, release, pairs, paths, words, not } = conditions;
  const { projectIds: _p, environments: _e, types: _t, severities: _s, sources: _o, ...excluded } = not;
  const others = [correlationId, fingerprint, group, series, release];
  const lists = [words, pairs, paths, ...Object.values<unknown[]>(excluded)];
  return lists.every(({ length }) => length === 0) && others.every((condition) => condition === null);
}

function projectWhere({ projectId }: EventConditions, values: unknown[]): string[] {
  return projectId === null ? [] : [`project_id = ${bind(values, projectId)}`];
}

/** All conditions on projects, for tables with a `project_id`. */
export function projectsWhere(conditions: EventConditions, values: unknown[]): string[] {
  return [LIVE_PROJECTS, ...projectWhere(conditions, values), ...placeWhere(conditions, values)];
}

function placeWhere({ not }: EventConditions, values: unknown[]): string[] {
  if (not.projectIds.length === 0) return [];
  return [`project_id <> ALL (${bind(values, not.projectIds)}::uuid[])`];
}

/** The environments by name; those that projects name themselves have other numbers in each. */
function environmentsWhere(names: readonly string[], values: unknown[]): string {
  const fixed = names.flatMap((name) => FIXED_NUMBERS.get(name) ?? []);
  const named = names.filter((name) => !FIXED_NUMBERS.has(name));
  const parts = [`environment = ANY (${bind(values, fixed)}::smallint[])`];
  if (named.length > 0)
    parts.push(`(project_id, environment) IN (SELECT e.project_id, e.number FROM environments AS e
      WHERE e.${LIVE_PROJECTS} AND e.name = ANY (${bind(values, named)}::text[]))`);
  return `(${parts.join(' OR ')})`;
}

/** Filters on the columns that events and their counts have. */
function seriesWhere(conditions: EventConditions, values: unknown[]): string[] {
  const { projectId, environment, isWatched, type, severity, source, not } = conditions;
  const where: string[] = [];
  if (environment !== null) where.push(environmentsWhere([environment], values));
  if (not.environments.length > 0) where.push(`NOT ${environmentsWhere(not.environments, values)}`);
  if (isWatched) where.push(isOfWatched(`${bind(values, projectId)}::uuid`));
  if (not.types.length > 0) where.push(`type <> ALL (${bind(values, not.types)}::text[])`);
  if (not.severities.length > 0) where.push(`severity <> ALL (${bind(values, not.severities)}::severity[])`);
  if (not.sources.length > 0)
    where.push(`(source IS NULL OR source <> ALL (${bind(values, not.sources)}::text[]))`);
  if (type !== null) where.push(`type = ${bind(values, type)}`);
  if (severity !== null) where.push(`severity = ${bind(values, severity)}`);
  if (source !== null) where.push(`source = ${bind(values, source)}`);
  return where;
}

/** Excluded values that only events have. A condition that is null does not hold. */
function excludingWhere({ not }: EventConditions, values: unknown[]): string[] {
  const where: string[] = [];
  if (not.correlationIds.length > 0)
    where.push(`correlation_id <> ALL (${bind(values, not.correlationIds)}::text[])`);
  if (not.fingerprints.length > 0)
    where.push(`fingerprint <> ALL (${bind(values, not.fingerprints)}::text[])`);
  if (not.releases.length > 0)
    where.push(`(release IS NULL OR release <> ALL (${bind(values, not.releases)}::text[]))`);
  for (const { projectId, fingerprints } of not.groups) {
    const held =
      fingerprints === null ? LEADS_NOWHERE : `fingerprint = ANY (${bind(values, fingerprints)}::text[])`;
    where.push(`NOT (project_id = ${bind(values, projectId)} AND ${held})`);
  }
  for (const condition of valuesWhere(not, values)) where.push(`(${condition}) IS NOT TRUE`);
  return where;
}

const VALUES = `jsonb_path_query_array(correlation, '$.*')`;
/** All values of a correlation under the organization, as the index `events_correlation_values` has them. */
const INDEXED_VALUES = `jsonb_set('{}', ARRAY[organization_id::text], ${VALUES})`;

/** Conditions on values within correlation and payload. */
function valuesWhere(
  { pairs, paths }: Pick<EventConditions, 'pairs' | 'paths'>,
  values: unknown[],
): string[] {
  return [
    ...pairs.map((pair) => pairWhere(pair, values)),
    ...paths.map(({ path, value }) => `payload #>> ${bind(values, path)}::text[] = ${bind(values, value)}`),
  ];
}

export function pairWhere({ key, value }: CorrelationPair, values: unknown[]): string {
  const held = asJson(value).map((json) => `${VALUES} @> ${bind(values, `[${json}]`)}::jsonb`);
  const ofKey = key === null ? [] : [`correlation ->> ${bind(values, key)} = ${bind(values, value)}`];
  return [`(${held.join(' OR ')})`, ...ofKey].join(' AND ');
}

/** The same for the index of values, which finds those of the organization alone; as a filter it would cost twice as much. */
export function indexedPairWhere(pair: CorrelationPair, values: unknown[]): string {
  const held = asJson(pair.value).map(
    (json) => `${INDEXED_VALUES} @> jsonb_build_object($1::uuid, ${bind(values, `[${json}]`)}::jsonb)`,
  );
  return `(${held.join(' OR ')}) AND ${pairWhere(pair, values)}`;
}

/** Forms of a text in JSON: itself, and the number or the literal that is written so. */
function asJson(text: string): string[] {
  const isPlain = ['true', 'false', 'null'].includes(text) || String(Number(text)) === text;
  const isFinite = text !== 'NaN' && !text.endsWith('Infinity');
  return isPlain && isFinite && text !== 'null' ? [JSON.stringify(text), text] : [JSON.stringify(text)];
}

/** Adds a value and returns its placeholder. */
export function bind(values: unknown[], value: unknown): string {
  values.push(value);
  return `$${values.length}`;
}

/** Joins conditions; true if there are none. */
export function all(where: string[]): string {
  return where.length > 0 ? where.join(' AND ') : 'true';
}

export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
