import { FIXED_NUMBERS } from '../../environments/numbers.ts';
import type { EventConditions } from '../read-types.ts';
import type { SeriesCondition } from '../series-condition.ts';
import type { CorrelationPair, PayloadValue } from '../value-filters.ts';
import { escapeLike } from '../where.ts';
import type { ArchiveParameters } from './event-archive.ts';

/*
 * Conditions as SQL of ClickHouse. They hold for every event that meets the conditions and may hold for a few others, which
 * PostgreSQL leaves out afterwards by its own SQL: so both answer alike where the engines differ in a value's text.
 */

/** Values of conditions that only PostgreSQL knows. */
export interface KnownValues {
  /** UUIDs of the organization's projects that are not deleted. */
  projectIds: string[];
  /** Numbers that projects gave to the environment of the conditions; a number may be another's in another project. */
  environmentNumbers: number[];
  /** Numbers of the project's environments that are not watched. */
  unwatchedNumbers: number[];
  /** Fingerprints that lead to a group of their own, where the conditions exclude them all; null: they do not. */
  ledFingerprints: string[] | null;
}

/** Parts of a statement, whose values are parameters. */
export class ArchiveConditions {
  readonly where: string[] = [];
  readonly #parameters: Record<string, unknown> = {};

  get parameters(): ArchiveParameters {
    return this.#parameters;
  }

  /** Adds a condition that holds; each `?` before a type in braces becomes the value of that place. */
  add(sql: string, ...values: unknown[]): this {
    this.where.push(this.bind(sql, ...values));
    return this;
  }

  /** Binds values in the order of their places: `{?:String}`. */
  bind(sql: string, ...values: unknown[]): string {
    const rest = [...values];
    return sql.replace(/\{\?:/g, () => {
      const name = `p${Object.keys(this.#parameters).length}`;
      this.#parameters[name] = rest.shift();
      return `{${name}:`;
    });
  }

  /** Times at and before which events were captured, exclusive. */
  within({ fromMs, untilMs }: { fromMs: number; untilMs: number }): this {
    return this.add(`at >= ${AT}`, fromMs).add(`at < ${AT}`, untilMs);
  }
}

export const AT = "fromUnixTimestamp64Milli({?:Int64}, 'UTC')";
const TEXTS = '{?:Array(String)}';

/** The id of an event as the archive compares it, a number: decimal digits, since a UUID sorts by its second half there. */
export function archivedId(uuid: string): string {
  return BigInt(`0x${uuid.replaceAll('-', '')}`).toString();
}

/** The conditions but for those of time. */
export function archiveWhere(
  organizationId: string,
  conditions: EventConditions,
  known: KnownValues,
): ArchiveConditions {
  const to = new ArchiveConditions();
  to.add('organization_id = {?:UUID}', organizationId);
  to.add('project_id IN {?:Array(UUID)}', projectsOf(conditions, known));
  addFields(to, conditions);
  addEnvironment(to, conditions, known);
  addExclusions(to, conditions);
  const { group, series, pairs, paths, words } = conditions;
  if (group?.fingerprints) to.add(`fingerprint IN ${TEXTS}`, group.fingerprints);
  if (group?.fingerprints === null) to.add(`fingerprint NOT IN ${TEXTS}`, known.ledFingerprints ?? []);
  if (series) addSeries(to, series);
  for (const pair of pairs) to.where.push(pairOf(to, pair));
  for (const path of paths) addPath(to, path);
  for (const word of words) to.add('message ILIKE {?:String}', `%${escapeLike(word)}%`);
  return to;
}

function projectsOf({ projectId, group, not }: EventConditions, { projectIds }: KnownValues): string[] {
  return projectIds.filter(
    (id) =>
      (projectId === null || id === projectId) &&
      (group === null || id === group.projectId) &&
      !not.projectIds.includes(id),
  );
}

function addFields(to: ArchiveConditions, conditions: EventConditions): void {
  const { type, severity, source, correlationId, fingerprint, release } = conditions;
  const fields = { type, severity, source, correlation_id: correlationId, fingerprint, release };
  for (const [column, value] of Object.entries(fields))
    if (value !== null) to.add(`${column} = {?:String}`, value);
}

function addEnvironment(
  to: ArchiveConditions,
  { environment, isWatched, not }: EventConditions,
  { environmentNumbers, unwatchedNumbers }: KnownValues,
): void {
  if (environment !== null) {
    const fixed = FIXED_NUMBERS.get(environment);
    to.add('environment IN {?:Array(Int16)}', fixed === undefined ? environmentNumbers : [fixed]);
  }
  const excluded = not.environments.flatMap((name) => FIXED_NUMBERS.get(name) ?? []);
  if (excluded.length > 0) to.add('environment NOT IN {?:Array(Int16)}', excluded);
  if (!isWatched) return;
  to.where.push('NOT ifNull(is_alert, false)');
  if (unwatchedNumbers.length > 0) to.add('environment NOT IN {?:Array(Int16)}', unwatchedNumbers);
}

function addExclusions(to: ArchiveConditions, { not }: EventConditions): void {
  const columns = {
    type: not.types,
    severity: not.severities,
    correlation_id: not.correlationIds,
    fingerprint: not.fingerprints,
  };
  for (const [column, values] of Object.entries(columns))
    if (values.length > 0) to.add(`${column} NOT IN ${TEXTS}`, values);
  for (const [column, values] of Object.entries({ source: not.sources, release: not.releases }))
    if (values.length > 0) to.add(`(${column} IS NULL OR ${column} NOT IN ${TEXTS})`, values);
  for (const { projectId, fingerprints } of not.groups)
    if (fingerprints)
      to.add(`NOT (project_id = {?:UUID} AND fingerprint IN ${TEXTS})`, projectId, fingerprints);
}

/** Without the condition on a field, which PostgreSQL adds. */
function addSeries(
  to: ArchiveConditions,
  { kind, type, severity, source, fingerprint }: SeriesCondition,
): void {
  if (type !== null) to.add('type = {?:String}', type);
  if (fingerprint !== null) to.add('fingerprint = {?:String}', fingerprint);
  if (source !== null) to.add('source = {?:String}', source);
  else if (kind === 'events') to.where.push('source IS NULL');
  // A failed payment counts as an error at least.
  if (severity !== null)
    to.add(
      `(severity = {?:String} OR ifNull(failed_payment, false) AND {?:String} = 'error')`,
      severity,
      severity,
    );
  if (kind === 'errors' || kind === 'failed_payments')
    to.where.push("(severity >= 'error' OR ifNull(failed_payment, false))");
}

function pairOf(to: ArchiveConditions, { key, value }: CorrelationPair): string {
  const held = to.bind('has(values, {?:String})', value);
  if (key === null) return held;
  return `${held} AND ${to.bind('JSONHas(correlation, {?:String})', key)}`;
}

/** A value that is a text, a number or a literal, below keys of objects alone; others are PostgreSQL's to compare. */
function addPath(to: ArchiveConditions, { path, value }: PayloadValue): void {
  const isPlain = !/^[[{]/.test(value) && path.every((key) => !/^-?\d+$/.test(key));
  if (!isPlain) return;
  const keys = path.map((key) => to.bind('{?:String}', key)).join(', ');
  const number = Number(value);
  const isNumber = value.trim() !== '' && Number.isFinite(number);
  const others = isNumber
    ? to.bind(`JSONExtractFloat(payload, ${keys}) = {?:Float64}`, number)
    : to.bind(`JSONExtractRaw(payload, ${keys}) = {?:String}`, value);
  to.where.push(`(${to.bind(`JSONExtractString(payload, ${keys}) = {?:String}`, value)} OR ${others})`);
}
