import type { Queryable, Transaction } from '../../database/database.ts';
import { lockFrames } from '../../incidents/frame-queries.ts';
import { countedEventsOf } from '../../incidents/lead/lead.ts';
import { updateIncident } from '../../incidents/mutation.ts';
import { listIncidentsToCount } from '../../incidents/risk-queries.ts';
import type { IncidentRow } from '../../incidents/rows.ts';
import { writeIncident } from '../../incidents/write-incident.ts';
import { countLead, type LeadCount } from '../counts/count-lead.ts';
import { withCount } from './change-context.ts';

/** Of one round: each holds its row until the round is written. */
const MAX_COUNTED = 100;

/** Counts what leads an incident again; null where it counts nothing, or a version opened it that kept no beginning. */
export async function recount(
  database: Queryable,
  organizationId: string,
  incident: IncidentRow,
  nowMs: number,
): Promise<LeadCount | null> {
  const counted = countedEventsOf(incident);
  const lead = incident.evidence?.lead;
  return counted && lead ? countLead(database, organizationId, { counted, lead }, nowMs) : null;
}

/**
 * Counts again what the detector does not report: events of alarms that have closed, and those that came while an incident was
 * resolved.
 * @param afterId of the last one that was counted; null: from the first one on
 * @returns where to go on with the next round; null: all have been counted
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
    const count = await recount(transaction, incident.organizationId, incident, nowMs);
    if (!count || count.eventCount === incident.eventCount) continue;
    const none = { userId: null, note: null };
    await writeIncident(transaction, updateIncident(withCount(incident, count), {}, none, nowMs));
  }
  return incidents.length < MAX_COUNTED ? null : (incidents.at(-1)?.id ?? null);
}
