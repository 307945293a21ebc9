import type { Static } from 'typebox';
import { foldEnvironment } from '../environments/fold-environment.ts';
import { MINUTE_MS } from '../platform/durations.ts';
import { toUuid } from '../platform/ids.ts';
import { minuteOf, parseIsoTime } from '../platform/time.ts';
import { readExclusions, refuseExclusions } from './exclusions.ts';
import { invalidQuery } from './invalid-query.ts';
import type { BoundedConditions, EventConditions, IncidentEvents } from './read-types.ts';
import type { EventReader } from './reader.ts';
import type { EventFilter } from './schema.ts';
import { isPlainSeries } from './series-condition.ts';
import { readValueFilters } from './value-filters.ts';

/** Maximum words: each is searched in each message. */
const MAX_WORDS = 8;
const MAX_WORD_CHARACTERS = 50;

/**
 * Converts a validated query to conditions; null if its project is not a project's id, or its group none of the
 * organization: like a project of another organization, it has no events.
 * @throws ApiError `validation_failed` for a NUL character, which no stored text can contain, and for too many or too
 * long words
 */
export async function toConditions(
  events: Pick<EventReader, 'findGroup' | 'findIncident'>,
  organizationId: string,
  { incident_id, ...filter }: Static<typeof EventFilter>,
): Promise<EventConditions | null> {
  const conditions = await toPlainConditions(events, organizationId, filter);
  if (!conditions || incident_id === undefined) return conditions;
  const incidentId = toUuid('inc', incident_id);
  const incident = incidentId && (await events.findIncident(organizationId, incidentId));
  return incident ? withIncident(events, organizationId, conditions, incident) : null;
}

/** Conditions that only events of an incident meet; null: none does. */
async function withIncident(
  events: Pick<EventReader, 'findGroup'>,
  organizationId: string,
  conditions: EventConditions,
  { projectId, groupId, series, fromMs, untilMs }: IncidentEvents,
): Promise<EventConditions | null> {
  if (conditions.projectId !== null && conditions.projectId !== projectId) return null;
  const time = {
    afterMs: Math.max(conditions.afterMs ?? 0, fromMs - 1),
    beforeMs:
      untilMs === null ? conditions.beforeMs : Math.min(conditions.beforeMs ?? untilMs + 1, untilMs + 1),
  };
  if (groupId !== null) {
    const group = await events.findGroup(organizationId, groupId);
    if (!group) return null;
    // An event belongs to one group.
    if (conditions.group && JSON.stringify(conditions.group) !== JSON.stringify(group)) return null;
    return { ...conditions, ...time, projectId, group };
  }
  const { type, severity, source } = conditions;
  if (isPlainSeries(series) && type === null && severity === null && source === null)
    return {
      ...conditions,
      ...time,
      projectId,
      isWatched: true,
      type: series.type,
      severity: series.severity,
      source: series.source,
    };
  return { ...conditions, ...time, projectId, series, isWatched: true };
}

async function toPlainConditions(
  events: Pick<EventReader, 'findGroup'>,
  organizationId: string,
  filter: Omit<Static<typeof EventFilter>, 'incident_id'>,
): Promise<EventConditions | null> {
  refuseNul(filter);
  const words = readWords(filter.q);
  refuseExclusions(filter);
  const { not, ...valueFilters } = readValueFilters(filter);
  const projectId = filter.project_id === undefined ? null : toUuid('proj', filter.project_id);
  if (filter.project_id !== undefined && projectId === null) return null;
  const groupId = filter.group_id === undefined ? null : toUuid('grp', filter.group_id);
  const group = groupId && (await events.findGroup(organizationId, groupId));
  if (filter.group_id !== undefined && !group) return null;
  const excluded = await readExclusions(filter, (id) => events.findGroup(organizationId, id));
  return {
    projectId,
    environment: foldEnvironment(filter.environment ?? '') ?? null,
    isWatched: false,
    type: filter.type ?? null,
    severity: filter.severity ?? null,
    source: filter.source ?? null,
    correlationId: filter.correlation_id ?? null,
    fingerprint: filter.fingerprint ?? null,
    release: filter.release ?? null,
    group: group || null,
    series: null,
    ...valueFilters,
    words,
    not: { ...excluded, ...not },
    afterMs: filter.from === undefined ? null : parseIsoTime(filter.from),
    beforeMs: filter.to === undefined ? null : parseIsoTime(filter.to),
  };
}

/** @throws ApiError `validation_failed` for a NUL character, which no stored text can contain */
export function refuseNul(query: object): void {
  for (const [name, value] of Object.entries(query)) {
    if (typeof value === 'string' && value.includes('\0'))
      throw invalidQuery(`/${name}`, 'must not hold a NUL character');
  }
}

/** The different words of `q`. @throws ApiError `validation_failed` for too many or too long words */
export function readWords(q = ''): string[] {
  const words = [...new Set(q.split(/\s+/).filter(Boolean))];
  if (words.length > MAX_WORDS) throw invalidQuery('/q', `must not hold more than ${MAX_WORDS} words`);
  if (words.some((word) => word.length > MAX_WORD_CHARACTERS))
    throw invalidQuery('/q', `must not hold a word of more than ${MAX_WORD_CHARACTERS} characters`);
  return words;
}

const DEFAULT_RANGE_MS = 24 * 60 * 60_000;

/**
 * Sets both bounds: without `from` the range begins 24 hours before its end, without `to` it ends now.
 * @throws ApiError `validation_failed` for a range that ends before it begins
 */
export function toRange(conditions: EventConditions, nowMs: number): BoundedConditions {
  const beforeMs = conditions.beforeMs ?? nowMs + 1;
  const afterMs = conditions.afterMs ?? beforeMs - DEFAULT_RANGE_MS;
  if (afterMs >= beforeMs) throw invalidQuery('/from', 'must be before the end of the range');
  return { ...conditions, afterMs, beforeMs };
}

/**
 * Whole minutes within a range, which are counted from `event_counts`; the partial ones at its ends are counted from
 * events.
 */
export function wholeMinutes({ afterMs, beforeMs }: BoundedConditions) {
  return {
    firstMinuteMs: Math.ceil((afterMs + 1) / MINUTE_MS) * MINUTE_MS,
    endMinuteMs: minuteOf(beforeMs),
  };
}
