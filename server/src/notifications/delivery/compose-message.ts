import { inSnapshot, type Queryable } from '../../database/database.ts';
import { eventsOn } from '../../events/read/events-on.ts';
import { isErrorOrWorse } from '../../events/severity.ts';
import { type CulpritDependencies, mapCulprits } from '../../groups/map-culprits.ts';
import { listIncidentGroups } from '../../incidents/groups/group-queries.ts';
import { readFacts } from '../../incidents/groups/read-facts.ts';
import {
  countedEventsOf,
  countsEvents,
  firstMinuteOf,
  type LeadEvents,
  leadOf,
  sinceOf,
} from '../../incidents/lead.ts';
import type { IncidentRow } from '../../incidents/rows.ts';
import { MINUTE_MS } from '../../platform/durations.ts';
import { toId } from '../../platform/ids.ts';
import { isoTime, minuteOf } from '../../platform/time.ts';
import { countIncident } from '../../risk/counts/count-lead.ts';
import { listMinuteCounts } from '../../risk/counts/count-queries.ts';
import { listLeadMinutes } from '../../risk/counts/lead-queries.ts';
import { findFailureTime } from '../../schedules/check-in-queries.ts';
import { findSchedule } from '../../schedules/queries.ts';
import { toSchedule } from '../../schedules/rows.ts';
import type { IncidentExtras } from '../messages/incident-words.ts';
import type { ScheduleSubject } from '../messages/message.ts';
import {
  findMessageGroup,
  findMessageProject,
  findOpening,
  findServiceNote,
  findSeverityNote,
  findUserName,
  listIncidentsById,
} from '../messages/message-queries.ts';
import {
  groupMessage,
  incidentMessage,
  type MessageContext,
  scheduleMessage,
} from '../messages/subject-messages.ts';
import { describeRoute } from '../routing/describe-route.ts';
import { composeDigest } from './compose-digest.ts';
import type { ComposedMessage, MessageInput } from './message-input.ts';
import type { WaitingRow } from './queries.ts';
import type { WaitingDelivery } from './situation.ts';

/** Maximum time for which a message waits for its culprit: no later message corrects it. */
const MAX_CULPRIT_WAIT_MS = 5_000;

/**
 * Composes a message whose numbers are all of one moment.
 * @returns null if the subject no longer exists: deleted with its project, or by retention
 */
export async function composeMessage(
  dependencies: CulpritDependencies,
  row: WaitingRow,
  composing: MessageInput,
): Promise<ComposedMessage | null> {
  const { organizationId } = composing.target;
  // Before the snapshot, which would hold a connection meanwhile.
  const culprit =
    row.subjectKind === 'group' ? await findCulprit(dependencies, organizationId, row.subjectId) : null;
  return inSnapshot(dependencies.pool, (snapshot) => compose(snapshot, row, composing, culprit));
}

async function findCulprit(
  dependencies: CulpritDependencies,
  organizationId: string,
  groupId: string,
): Promise<string | null> {
  const group = { id: toId('grp', groupId), culprit: null };
  const [mapped] = await mapCulprits(dependencies, organizationId, [group], MAX_CULPRIT_WAIT_MS);
  return mapped?.culprit ?? null;
}

/** @param culprit culprit of the group in its sources; null: that of the group */
async function compose(
  database: Queryable,
  row: WaitingRow,
  composing: MessageInput,
  culprit: string | null,
): Promise<ComposedMessage | null> {
  const { target, links, routes, now } = composing;
  const { organizationId } = target;
  const project = row.projectId && (await findMessageProject(database, organizationId, row.projectId));
  const route = routes.get(row.routeId ?? '');
  const context: MessageContext = {
    deliveryId: toId('dlv', row.id),
    project: project || null,
    links,
    why: route ? describeRoute(route) : `A route to “${target.name}” sends it.`,
    at: now,
  };
  if (row.subjectKind === 'digest') return composeDigest(database, row, context, composing);
  if (!project) return null;
  if (row.subjectKind === 'group') {
    const group = await findMessageGroup(database, organizationId, row.subjectId, composing.confirmed);
    const type = row.change === 'group_regressed' ? 'group.regressed' : 'group.new';
    if (!group) return null;
    const named = { ...group, culprit: culprit ?? group.culprit };
    return { message: groupMessage(type, named, context), status: group.state };
  }
  const [stored] = await listIncidentsById(database, organizationId, [row.subjectId]);
  if (!stored) return null;
  const incident = await withCountNow(database, stored, now);
  const type = typeOf(row, incident, composing);
  const worse = type === 'incident.worse' ? await findSeverityNote(database, incident.id) : null;
  const extras = { ...(await findExtras(database, incident, now)), worse };
  const message = incidentMessage(type, incident, context, extras);
  const schedule = row.change === 'schedule_missed' && (await findScheduleSubject(database, incident, now));
  return { message: schedule ? scheduleMessage(message, schedule) : message, status: incident.status };
}

/** The incident with the count of its events by now; the stored one is of the last round. */
async function withCountNow(database: Queryable, incident: IncidentRow, now: Date): Promise<IncidentRow> {
  if (incident.resolvedAt !== null) return incident;
  const count = await countIncident(database, incident.organizationId, incident, now.getTime());
  return count ? { ...incident, eventCount: count.eventCount } : incident;
}

/** The current rate is the mean of so many minutes, or of those since the incident began. */
const RATE_MINUTES = 5;

async function findExtras(
  database: Queryable,
  incident: IncidentRow,
  now: Date,
): Promise<Omit<IncidentExtras, 'worse'>> {
  const { id, organizationId, projectId, origin, investigatorId, resolvedAt, evidence } = incident;
  const counted = countedEventsOf(incident);
  const lead = leadOf(incident);
  const facts = counted && (await readFacts(eventsOn(database), incident));
  const followed =
    counted ??
    (lead.kind === 'absence' &&
      evidence && {
        projectId,
        groupId: null,
        series: lead.series,
        fromMs: firstMinuteOf(evidence.rule, sinceOf(incident).getTime()),
      });
  return {
    sentence: evidence === null && origin !== 'manual' ? await findServiceNote(database, id) : null,
    opened: await findOpening(database, id),
    investigator: investigatorId && (await findUserName(database, investigatorId)),
    users: facts && facts.users,
    failedPayments: facts && facts.failedPayments,
    error: counted && (await findError(database, organizationId, counted, now)),
    current:
      followed && resolvedAt === null
        ? await findCurrent(database, organizationId, followed, now.getTime())
        : null,
  };
}

/** Error group with most of the counted events by now; null if no counted event belongs to a known error group. */
async function findError(
  database: Queryable,
  organizationId: string,
  counted: LeadEvents,
  now: Date,
): Promise<IncidentExtras['error']> {
  const [largest] = await listIncidentGroups(eventsOn(database), organizationId, counted, now);
  if (!largest || largest.number === 0) return null;
  const isError = counted.series.kind === 'failed_payments' || isErrorOrWorse(largest.severity);
  return isError ? { title: largest.title, share: largest.share } : null;
}

async function findCurrent(
  database: Queryable,
  organizationId: string,
  followed: Omit<LeadEvents, 'untilMs'>,
  nowMs: number,
): Promise<IncidentExtras['current']> {
  const { projectId, series, fromMs } = followed;
  const firstMs = Math.max(minuteOf(fromMs), minuteOf(nowMs) - (RATE_MINUTES - 1) * MINUTE_MS);
  const range = { fromMs: firstMs, toMs: minuteOf(nowMs) + MINUTE_MS };
  if (series.kind === 'failed_payments') {
    const counts = await listMinuteCounts(database, organizationId, { projectId, series }, range);
    const payments = sumOf(counts, 'all');
    return payments === 0
      ? null
      : { observed: (100 * sumOf(counts, 'matching')) / payments, unit: 'percent' };
  }
  const minutes = await listLeadMinutes(database, organizationId, followed, range);
  const perMinute = (sumOf(minutes, 'events') * MINUTE_MS) / Math.max(MINUTE_MS, nowMs - firstMs);
  return countsEvents(series) ? { observed: perMinute, unit: 'per_minute' } : null;
}

function sumOf<Field extends string>(rows: readonly Record<Field, number>[], field: Field): number {
  return rows.reduce((sum, row) => sum + row[field], 0);
}

/** @returns null if the job runs again, or the schedule is deleted: then only the incident is left to report */
async function findScheduleSubject(
  database: Queryable,
  { projectId, scheduleId, status, createdAt }: IncidentRow,
  now: Date,
): Promise<ScheduleSubject | null> {
  if (scheduleId === null || status === 'resolved') return null;
  const schedule = await findSchedule(database, projectId, scheduleId);
  if (!schedule) return null;
  const expectedAt = await findFailureTime(database, scheduleId, createdAt);
  return { ...toSchedule(schedule, now.getTime()), expectedAt: expectedAt && isoTime(expectedAt) };
}

/** Chooses the type by the incident's current state, not by its state when the delivery was put into the outbox. */
function typeOf(
  { change }: Pick<WaitingDelivery, 'change'>,
  { status }: IncidentRow,
  { isKnown }: MessageInput,
): Parameters<typeof incidentMessage>[0] {
  if (status === 'resolved') return 'incident.resolved';
  if (change === 'worse') return isKnown ? 'incident.worse' : 'incident.opened';
  if (change === 'updated' || change === 'acknowledged') return 'incident.updated';
  return 'incident.opened';
}
