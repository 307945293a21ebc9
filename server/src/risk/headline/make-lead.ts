import type { Queryable } from '../../database/database.ts';
import { listGroupsOfEvents } from '../../events/group-queries.ts';
import { type GroupRow, toGroup } from '../../groups/group-row.ts';
import { findGroup } from '../../groups/queries.ts';
import type { EvidenceGroup, RiskSeries } from '../../incidents/evidence-schema.ts';
import { listIncidentGroups } from '../../incidents/groups/group-queries.ts';
import { countsEvents, isAbsence, type LeadEvents } from '../../incidents/lead.ts';
import type { MainGroup } from '../../incidents/stored-evidence.ts';
import { countFromBeginning, emptyLead, type LeadCount } from '../counts/count-lead.ts';
import { listLeadMinutes } from '../counts/lead-queries.ts';
import { listReleasesOfGroup } from './group-release-queries.ts';
import { onsetOf, searchFrom } from './onset.ts';
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
  const { fromMs: windowFromMs } = windowOf(alarm, shiftMs, nowMs);
  const times = { windowFromMs, nowMs };
  const source = { projectId, groupId: group?.id ?? null, series };
  const isTold = countsEvents(series) || isAbsence(anomaly.rule);
  const range = { fromMs: searchFrom(alarm, times), toMs: nowMs + MAX_AHEAD_MS };
  const minutes = isTold ? await listLeadMinutes(database, organizationId, source, range) : [];
  const onsetMs = onsetOf(alarm, minutes, times);
  const firstMs = group && group.firstSeen.getTime() >= onsetMs ? group.firstSeen.getTime() : onsetMs;
  const begin = async (cutMs: number): Promise<LeadCount> => {
    const sinceMs = Math.max(firstMs, earlierMs ?? 0, cutMs);
    if (isAbsence(anomaly.rule) || !countsEvents(series))
      return { eventCount: 0, lead: emptyLead(source.groupId, sinceMs) };
    const counted: LeadEvents = { ...source, fromMs: sinceMs, untilMs: null };
    const main = await findMainGroup(database, organizationId, counted, nowMs);
    return countFromBeginning(database, organizationId, { counted, main }, nowMs);
  };
  if (previousEndMs === null) return begin(0);
  const after = await begin(previousEndMs + 1);
  // If the detector was reset, it ends the previous incident with the events of this one.
  return after.eventCount > 0 ? after : begin(0);
}

/** Maximum time between the capture of an event and its receipt. */
const MAX_AHEAD_MS = 5 * 60_000;

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
  const [largest] = await listIncidentGroups(database, organizationId, events, new Date(nowMs));
  if (!largest || largest.number === 0 || largest.share <= MAIN_SHARE) return null;
  const { id: groupId, severity, source, share } = largest;
  const { key, title } = toGroup(largest);
  const releases = await listReleasesOfGroup(database, organizationId, groupId);
  return { groupId, key, title, source, severity, share: Number(share.toFixed(4)), releases };
}
