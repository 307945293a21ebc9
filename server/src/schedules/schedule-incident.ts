import type { Transaction } from '../database/database.ts';
import { createIncident, updateIncident } from '../incidents/mutation.ts';
import { findIncident } from '../incidents/queries.ts';
import type { IncidentRow } from '../incidents/rows.ts';
import { writeIncident } from '../incidents/write-incident.ts';
import { findLastIncidentId, updateContinuedIncident } from './review-queries.ts';
import type { ScheduleRow } from './rows.ts';
import type { CheckInRecord } from './schedule-state.ts';
import { describeFailure } from './words.ts';

/** The schedule before the failure, for its wording. */
interface Failure {
  schedule: ScheduleRow;
  record: CheckInRecord;
}

/**
 * Opens the incident of a schedule.
 * @param transaction holds `lockFrames` and has locked the rows of the schedule and its project
 * @returns the UUID of the incident
 */
export async function openScheduleIncident(
  transaction: Transaction,
  organizationId: string,
  { schedule, record }: Failure,
): Promise<string> {
  const { title, sentence } = describeFailure(schedule, record);
  const input = {
    organizationId,
    projectId: schedule.projectId,
    title,
    severity: schedule.severity,
    status: 'open' as const,
    cause: {
      kind: 'schedule' as const,
      scheduleId: schedule.id,
      sentence,
      previousIncidentId: await findLastIncidentId(transaction, schedule.id),
    },
  };
  return (await writeIncident(transaction, createIncident(input, transaction.now()))).id;
}

/**
 * Resolves the incident of a schedule, unless a person did.
 * @param transaction holds `lockFrames`
 */
export async function resolveScheduleIncident(
  transaction: Transaction,
  organizationId: string,
  { incidentId, note }: { incidentId: string; note: string },
): Promise<void> {
  const incident = await findIncident(transaction, organizationId, incidentId, 'lock');
  if (!incident || incident.status === 'resolved') return;
  const by = { userId: null, note };
  await writeIncident(transaction, updateIncident(incident, { status: 'resolved' }, by, transaction.now()));
}

/**
 * When a person resolved the incident of a schedule: earlier failures are handled, and the next one opens another
 * incident.
 * @returns null: it is unresolved; milliseconds otherwise, 0 if it was deleted
 */
export async function resolutionTime(
  transaction: Transaction,
  organizationId: string,
  incidentId: string,
): Promise<number | null> {
  const incident = await findIncident(transaction, organizationId, incidentId, 'lock');
  if (!incident) return 0;
  return incident.resolvedAt?.getTime() ?? null;
}

/** Continues an incident after its resolution was undone. @param transaction holds `lockFrames` */
export async function continueScheduleIncident(
  transaction: Transaction,
  { id, projectId, scheduleId }: IncidentRow,
): Promise<void> {
  if (scheduleId === null) return;
  await updateContinuedIncident(transaction, { projectId, scheduleId, incidentId: id });
}
