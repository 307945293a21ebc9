import type { Queryable } from '../../database/database.ts';
import { listGroupsOfEvents } from '../../events/group-queries.ts';
import { eventsOn } from '../../events/read/events-on.ts';
import type { TimeRange } from '../../events/read-types.ts';
import { type GroupRow, toGroup } from '../../groups/group-row.ts';
import { findGroup } from '../../groups/queries.ts';
import type { EvidenceGroup, RiskSeries } from '../../incidents/evidence-schema.ts';
import { listIncidentGroups } from '../../incidents/groups/group-queries.ts';
import { countsEvents, isAbsence, type LeadEvents } from '../../incidents/lead.ts';
import type { MainGroup } from '../../incidents/stored-evidence.ts';
import { MINUTE_MS } from '../../platform/durations.ts';
import { minuteOf } from '../../platform/time.ts';
import { countFromBeginning, emptyLead, type LeadCount } from '../counts/count-lead.ts';
import { listLeadMinutes } from '../counts/lead-queries.ts';
import { listReleasesOfGroup } from './group-release-queries.ts';
import { findFirst, onsetOf, searchFrom } from './onset.ts';
import { type OpenedAlarm, windowOf } from './opened-alarm.ts';

/** Minimum share of a lead's events with which a group is named as the main one. */
const MAIN_SHARE = 0.6;

export interface LeadQuestion {
  organizationId: string;
  projectId: string;
  /** How far the detectors' time is ahead of the clocks. */
  shiftMs: number;
  nowMs: number;
  /** Current beginning of the incident; null: it is new. */
  sinceMs: number | null;
  /** End of the previous incident of the same lead; null: there is none. */
  previousEndMs: number | null;
}

/**
 * Computes the lead that an alarm gives its incident: its beginning, its number of events, and the group with most of
 * them.
 */
export async function makeLead(
  database: Queryable,
  alarm: OpenedAlarm,
  { organizationId, projectId, shiftMs, nowMs, sinceMs: earlierMs, previousEndMs }: LeadQuestion,
): Promise<LeadCount> {
  const { series, anomaly } = alarm;
  const group = await findErrorGroup(database, organizationId, { projectId, series, nowMs });
  const source = { projectId, groupId: group?.id ?? null, series };
  const window = windowOf(alarm, shiftMs, nowMs);
  const fromMs = searchFrom(window);
  const listMinutes = (range: TimeRange) => listLeadMinutes(database, organizationId, source, range);
  const isSilence = anomaly.rule === 'silence';
  const minutes = isSilence ? [] : await listMinutes({ fromMs, toMs: nowMs + MAX_AHEAD_MS });
  const onsetMs = onsetOf(alarm, minutes, window);
  const firstSeenMs = group?.firstSeen.getTime() ?? 0;
  // Without an onset, a silence has no event in its window; of any other change only the alarm is known.
  const unknownMs = isSilence ? window.fromMs : window.toMs;
  const firstMs = firstSeenMs >= (onsetMs ?? window.fromMs) ? firstSeenMs : (onsetMs ?? unknownMs);
  // Not before its incident, but for the minute in which that began: an error of it may have come first.
  const isSameMinute = earlierMs !== null && minuteOf(firstMs) === minuteOf(earlierMs);
  const beginMs = isSameMinute ? Math.min(firstMs, earlierMs) : Math.max(firstMs, earlierMs ?? 0);
  const mark = onsetMs === fromMs && beginMs === fromMs && ({ mayBeEarlier: true } as const);
  if (isAbsence(anomaly.rule) || !countsEvents(series))
    return { eventCount: 0, lead: { ...emptyLead(source.groupId, beginMs), ...mark } };
  let nextMs: number | null = null;
  if (previousEndMs !== null && beginMs <= previousEndMs) {
    const part = { fromMs: previousEndMs + 1, toMs: minuteOf(previousEndMs) + MINUTE_MS };
    nextMs =
      (await eventsOn(database).findFirstOfLead(organizationId, source, part)) ??
      findFirst(minutes, part.toMs);
  }
  // If the detector was reset, it ends the previous incident with the events of this one: none is later.
  const counted: LeadEvents = { ...source, fromMs: nextMs ?? beginMs, untilMs: null };
  const main = await findMainGroup(database, organizationId, counted, nowMs);
  const { eventCount, lead } = await countFromBeginning(database, organizationId, { counted, main }, nowMs);
  return { eventCount, lead: { ...lead, ...(nextMs === null && mark) } };
}

/** Maximum time between the capture of an event and its receipt. */
const MAX_AHEAD_MS = 5 * MINUTE_MS;

/**
 * Finds the group of a new error. Its first event is stored, and so its group is known, before the detector counts
 * it. Null: it has no group of its own.
 */
async function findErrorGroup(
  database: Queryable,
  organizationId: string,
  { projectId, series, nowMs }: { projectId: string; series: RiskSeries; nowMs: number },
): Promise<GroupRow | null> {
  const { kind, fingerprint } = series;
  if (kind !== 'new_kind' || fingerprint === null) return null;
  const groups = await listGroupsOfEvents(database, organizationId, [{ projectId, fingerprint }]);
  const groupId = groups.get(`${projectId} ${fingerprint}`);
  const group =
    groupId === undefined ? null : await findGroup(database, organizationId, groupId, new Date(nowMs));
  return group && group.number > 0 ? group : null;
}

/** The group of the new error among alarms, in the form of the evidence. */
export async function findGroupOfNewError(
  database: Queryable,
  organizationId: string,
  alarms: OpenedAlarm[],
  { projectId, nowMs }: { projectId: string; nowMs: number },
): Promise<EvidenceGroup | null> {
  const newError = alarms.find(({ series }) => series.kind === 'new_kind');
  const of = newError && { projectId, series: newError.series, nowMs };
  const group = of && (await findErrorGroup(database, organizationId, of));
  if (!group) return null;
  const { id, number, key, title } = toGroup(group);
  return { id, number, key, title };
}

async function findMainGroup(
  database: Queryable,
  organizationId: string,
  events: LeadEvents,
  nowMs: number,
): Promise<MainGroup | null> {
  const [largest] = await listIncidentGroups(eventsOn(database), organizationId, events, new Date(nowMs));
  if (!largest || largest.number === 0 || largest.share <= MAIN_SHARE) return null;
  const { id: groupId, severity, source, share } = largest;
  const { key, title } = toGroup(largest);
  const releases = await listReleasesOfGroup(database, organizationId, groupId);
  return { groupId, key, title, source, severity, share: Number(share.toFixed(4)), releases };
}
