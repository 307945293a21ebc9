import type { Queryable } from '../../database/database.ts';
import { SEVERITIES } from '../../events/severities.ts';
import type { Severity } from '../../events/severity.ts';
import { countedEventsOf, type LeadEvents } from '../../incidents/lead.ts';
import { readFacts } from '../../incidents/read-facts.ts';
import type { IncidentRow } from '../../incidents/rows.ts';
import { MINUTE_MS } from '../../platform/durations.ts';
import { toId } from '../../platform/ids.ts';
import { isoTime, minuteOf } from '../../platform/time.ts';
import { listLeadMinutes } from '../../risk/counts/lead-queries.ts';
import { findFailureTime, findSchedule } from '../../schedules/queries.ts';
import { toSchedule } from '../../schedules/rows.ts';
import type { IncidentExtras } from '../messages/incident-words.ts';
import type { Links } from '../messages/links.ts';
import type { Digest, Message, ScheduleSubject } from '../messages/message.ts';
import {
  findFirstTitle,
  findMessageGroup,
  findMessageProject,
  findServiceNote,
  findUserName,
  listIncidentsById,
} from '../messages/message-queries.ts';
import {
  digestMessage,
  groupMessage,
  incidentMessage,
  type MessageContext,
  scheduleMessage,
} from '../messages/subject-messages.ts';
import { countMessages, describeRoute } from '../routing/describe-route.ts';
import type { RouteRow } from '../routing/route.ts';
import type { TargetRow } from '../targets/target.ts';
import { listDigestSubjects, type WaitingRow } from './queries.ts';
import type { Waiting } from './situation.ts';

const MAX_LISTED = 10;
/** Maximum incidents of a digest whose states programs receive. */
const MAX_OTHERS = 1_000;

/** A message about the current state of its subject, with the status that its thread stores. */
export interface Composed {
  message: Message;
  status: string;
}

export interface Composing {
  target: TargetRow;
  links: Links;
  /** Routes by their ids; deleted ones are missing. */
  routes: ReadonlyMap<string, RouteRow>;
  /** True if the target received a message about the subject before. */
  isKnown: boolean;
  now: Date;
  /** Confirmed time. */
  confirmed: Date;
}

/** @returns null if the subject no longer exists: deleted with its project, or by retention */
export async function composeMessage(
  database: Queryable,
  row: WaitingRow,
  composing: Composing,
): Promise<Composed | null> {
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
    return group && { message: groupMessage(type, group, context), status: group.state };
  }
  const [incident] = await listIncidentsById(database, organizationId, [row.subjectId]);
  if (!incident) return null;
  const extras = await findExtras(database, incident, now);
  const message = incidentMessage(typeOf(row, incident, composing), incident, context, extras);
  const schedule = row.change === 'schedule_missed' && (await findScheduleSubject(database, incident, now));
  return { message: schedule ? scheduleMessage(message, schedule) : message, status: incident.status };
}

/** The current rate is the mean of so many minutes, or of those since the incident began. */
const RATE_MINUTES = 5;

async function findExtras(database: Queryable, incident: IncidentRow, now: Date): Promise<IncidentExtras> {
  const { id, organizationId, origin, investigatorId } = incident;
  const counted = countedEventsOf(incident);
  return {
    sentence: origin === 'schedule' ? await findServiceNote(database, id) : null,
    firstTitle: await findFirstTitle(database, id),
    investigator: investigatorId && (await findUserName(database, investigatorId)),
    users: counted && (await readFacts(database, incident)).users,
    perMinute:
      counted?.untilMs === null ? await findRate(database, organizationId, counted, now.getTime()) : null,
  };
}

async function findRate(
  database: Queryable,
  organizationId: string,
  counted: LeadEvents,
  nowMs: number,
): Promise<number> {
  const firstMs = Math.max(minuteOf(counted.fromMs), minuteOf(nowMs) - (RATE_MINUTES - 1) * MINUTE_MS);
  const range = { fromMs: firstMs, toMs: minuteOf(nowMs) + MINUTE_MS };
  const minutes = await listLeadMinutes(database, organizationId, counted, range);
  const events = minutes.reduce((sum, minute) => sum + minute.events, 0);
  return (events * MINUTE_MS) / Math.max(MINUTE_MS, nowMs - firstMs);
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
  { change }: Pick<Waiting, 'change'>,
  { status }: IncidentRow,
  { isKnown }: Composing,
): Parameters<typeof incidentMessage>[0] {
  if (status === 'resolved') return 'incident.resolved';
  if (change === 'worse') return isKnown ? 'incident.worse' : 'incident.opened';
  if (change === 'updated' || change === 'acknowledged') return 'incident.updated';
  return 'incident.opened';
}

async function composeDigest(
  database: Queryable,
  row: WaitingRow,
  context: MessageContext,
  { target, links, routes, now }: Composing,
): Promise<Composed | null> {
  const said = await listDigestSubjects(database, target.id, row.subjectId);
  if (said.length === 0) return null;
  const ids = said.map(({ subjectId }) => subjectId);
  const incidents = await listIncidentsById(database, target.organizationId, ids);
  const groups = said.filter(({ subjectKind }) => subjectKind === 'group');
  const open = incidents.filter(({ status }) => status !== 'resolved');
  const bySeverity: Record<Severity, number> = { info: 0, warn: 0, error: 0, critical: 0 };
  for (const { severity } of [...incidents, ...groups]) bySeverity[severity]++;
  const worst = [...open, ...incidents.filter(({ status }) => status === 'resolved')].toSorted(
    (left, right) => rank(right.status, right.severity) - rank(left.status, left.severity),
  );
  const digest: Digest = {
    since: isoTime(said.reduce((least, { since }) => Math.min(least, since.getTime()), now.getTime())),
    total: incidents.length + groups.length,
    open: open.length,
    resolved: incidents.length - open.length,
    bySeverity,
    listed: worst.slice(0, MAX_LISTED).map(({ id, title, severity, status }) => {
      const incidentId = toId('inc', id);
      return { id: incidentId, title, severity, status, url: links.incident(incidentId) };
    }),
    others: worst
      .slice(MAX_LISTED, MAX_LISTED + MAX_OTHERS)
      .map(({ id, status }) => ({ id: toId('inc', id), status })),
  };
  const severity = SEVERITIES.findLast((each) => bySeverity[each] > 0) ?? row.severity;
  const projectIds = new Set(said.map(({ projectId }) => projectId));
  const [projectId] = projectIds;
  const project =
    projectIds.size === 1 && projectId !== undefined
      ? await findMessageProject(database, target.organizationId, projectId)
      : null;
  const maxPerWeek = routes.get(row.routeId ?? '')?.maxPerWeek ?? null;
  return {
    message: digestMessage(
      digest,
      {
        severity,
        threadId: toId('dlv', row.subjectId),
        url: links.incident(''),
        lead: row.change === 'over_budget' ? describeBeyond(maxPerWeek) : 'in one',
      },
      {
        ...context,
        project,
        why:
          row.change === 'over_budget'
            ? `${context.why} What is beyond comes together once a day.`
            : 'More than 10 messages within 10 minutes: the further ones come together.',
      },
    ),
    status: 'digest',
  };
}

/** @param maxPerWeek null: the limit was removed, or the route deleted, since the digest was created */
function describeBeyond(maxPerWeek: number | null): string {
  return maxPerWeek === null ? 'beyond the bound of a route' : `beyond ${countMessages(maxPerWeek)} a week`;
}

function rank(status: string, severity: Severity): number {
  return (status === 'resolved' ? 0 : SEVERITIES.length) + SEVERITIES.indexOf(severity);
}
