import { isDeepStrictEqual } from 'node:util';
import type { Queryable, Transaction } from '../../database/database.ts';
import { eventsOn } from '../../events/read/events-on.ts';
import type { MergedGroups } from '../../groups/change/merge-groups.ts';
import { lockFrames } from '../../incidents/frame-queries.ts';
import { countedEventsOf } from '../../incidents/lead.ts';
import { updateIncident } from '../../incidents/mutation.ts';
import { listIncidentsLedBy, listIncidentsToCount } from '../../incidents/risk-queries.ts';
import type { IncidentRow } from '../../incidents/rows.ts';
import { writeIncident } from '../../incidents/write-incident.ts';
import { minuteOf } from '../../platform/time.ts';
import { countFromBeginning, countIncident, type LeadCount } from '../counts/count-lead.ts';
import { listReleasesOfGroup } from '../headline/group-release-queries.ts';
import { withCount } from './change-context.ts';

/** Maximum incidents that one round counts: each holds its row until the round is written. */
const MAX_COUNTED = 100;

/**
 * Counts again what the detector does not report: events of alarms that have closed, and those that came while an
 * incident was resolved.
 * @param afterId id of the last counted incident; null: from the first one on
 * @returns where the next round continues; null: all have been counted
 */
export async function recountIncidents(
  transaction: Transaction,
  afterId: string | null,
): Promise<string | null> {
  const nowMs = transaction.now();
  await lockFrames(transaction);
  const incidents = await listIncidentsToCount(transaction, {
    afterId,
    limit: MAX_COUNTED,
    now: new Date(nowMs),
  });
  for (const incident of incidents) {
    const count = await countIncident(transaction, incident.organizationId, incident, nowMs);
    if (!count || count.eventCount === incident.eventCount) continue;
    const none = { userId: null, note: null };
    await writeIncident(transaction, updateIncident(withCount(incident, count), {}, none, nowMs));
  }
  return incidents.length < MAX_COUNTED ? null : (incidents.at(-1)?.id ?? null);
}

/**
 * Counts the incidents again, open or resolved, whose lead groups were merged or separated: a lead group is the one
 * that has its events now, with all groups merged into that. If retention has removed the beginning, the former count
 * stays.
 */
export async function recountLedBy(
  transaction: Transaction,
  { organizationId, projectId, groupIds, isMerge }: MergedGroups,
): Promise<void> {
  const nowMs = transaction.now();
  // No round counts meanwhile, and the next one reads the groups as they are then.
  await lockFrames(transaction);
  const incidents = await listIncidentsLedBy(transaction, organizationId, projectId, groupIds);
  if (incidents.length === 0) return;
  const firstMinute = await eventsOn(transaction).findFirstMinute(organizationId, projectId);
  for (const incident of incidents) {
    const count = await recountWhole(transaction, incident, firstMinute, nowMs);
    if (!count) continue;
    const isSame = count.eventCount === incident.eventCount;
    if (isSame && isDeepStrictEqual(count.lead, incident.evidence?.lead)) continue;
    const note = isSame ? null : mergeNote(incident.eventCount, count.eventCount, isMerge);
    const mutation = updateIncident(withCount(incident, count), {}, { userId: null, note }, nowMs);
    await writeIncident(transaction, mutation);
  }
}

/** @returns null if an older version opened the incident without a lead */
async function recountWhole(
  database: Queryable,
  incident: IncidentRow,
  firstMinute: Date | null,
  nowMs: number,
): Promise<LeadCount | null> {
  const { organizationId, eventCount, evidence } = incident;
  const counted = countedEventsOf(incident);
  if (!counted || !evidence?.lead) return null;
  const isKept = firstMinute !== null && firstMinute.getTime() <= minuteOf(counted.fromMs);
  const main = evidence.lead.main && {
    ...evidence.lead.main,
    releases: await listReleasesOfGroup(database, organizationId, evidence.lead.main.groupId),
  };
  return counted.groupId !== null && isKept
    ? countFromBeginning(database, organizationId, { counted, main }, nowMs)
    : { eventCount, lead: { ...evidence.lead, main } };
}

function mergeNote(before: number, after: number, isMerge: boolean): string {
  const what = isMerge ? 'Groups were merged' : 'A merged group was taken out again';
  const events = `${after.toLocaleString('en')} ${after === 1 ? 'event' : 'events'}`;
  return `${what}: ${events} instead of ${before.toLocaleString('en')}.`;
}
