import type { Severity } from '../../events/severity.ts';
import { type GroupRow, toGroup } from '../../groups/group-row.ts';
import type { Group } from '../../groups/schema.ts';
import type { IncidentRow } from '../../incidents/rows.ts';
import type { Incident } from '../../incidents/schema.ts';
import { toIncident } from '../../incidents/to-incident.ts';
import { type IncidentExtras, incidentFacts, NO_EXTRAS } from './incident-words.ts';
import type { Links } from './links.ts';
import type { Digest, Message, MessageProject, ScheduleSubject } from './message.ts';
import { toLine, toPlainText } from './plain-text.ts';

/** Data of a message beside its subject. */
export interface MessageContext {
  deliveryId: string;
  project: MessageProject | null;
  links: Links;
  why: string;
  at: Date;
}

type IncidentMessageType = Extract<Message['type'], `incident.${string}`>;

const LEADS: Record<IncidentMessageType, string> = {
  'incident.opened': '',
  'incident.updated': '',
  'incident.worse': 'Worse: ',
  'incident.resolved': 'Resolved: ',
};

/** Message about an incident in its current state. */
export function incidentMessage(
  type: IncidentMessageType,
  row: IncidentRow,
  { deliveryId, project, links, why, at }: MessageContext,
  extras: IncidentExtras = NO_EXTRAS,
): Message {
  const incident = toIncident(row);
  const { id, title, severity, status } = incident;
  const lead = status === 'resolved' ? LEADS['incident.resolved'] : LEADS[type];
  return {
    type,
    deliveryId,
    threadId: id,
    state: status === 'open' ? 'firing' : status === 'investigating' ? 'acknowledged' : 'resolved',
    severity,
    headline: `${lead}${toLine(title)}`,
    threadHeadline: toThreadHeadline(extras.opened ?? { title, severity }),
    lines: sentencesOf(incident, extras),
    facts: [
      ...incidentFacts(incident, extras),
      ...projectFacts(project),
      { label: 'Severity', value: severity },
      { label: 'Status', value: status },
    ],
    project,
    url: links.incident(id),
    silenceUrl: status === 'resolved' ? null : links.silence(id),
    why,
    at,
    subject: { kind: 'incident', incident, failedPayments: extras.failedPayments },
  };
}

/** Message about a declared schedule that failed, in the thread of the incident that it opened. */
export function scheduleMessage(message: Message, schedule: ScheduleSubject): Message {
  const { subject } = message;
  if (subject.kind !== 'incident') return message;
  return {
    ...message,
    type: 'schedule.missed',
    subject: { kind: 'schedule', schedule, incident: subject.incident },
  };
}

function toThreadHeadline({ title, severity }: { title: string; severity: Severity }): string {
  return `[${severity}] ${toLine(title)}`;
}

/** The sentence of an incident, and the reason for which it is worse: its own sentence says how it began. */
function sentencesOf({ evidence }: Incident, { sentence, worse }: IncidentExtras): string[] {
  return [evidence?.sentence ?? sentence, worse].filter((said) => said !== null).map(toPlainText);
}

export function groupMessage(
  type: 'group.new' | 'group.regressed',
  row: GroupRow,
  { deliveryId, project, links, why, at }: MessageContext,
): Message {
  const group: Group = toGroup(row);
  const lead = type === 'group.new' ? 'New' : 'Regressed';
  return {
    type,
    deliveryId,
    threadId: group.id,
    state: 'notice',
    severity: group.severity,
    headline: `${lead}: ${toLine(group.title)}`,
    threadHeadline: `${group.key}: ${toLine(group.title)}`,
    lines: group.culprit === null ? [] : [toLine(group.culprit)],
    facts: [
      ...projectFacts(project),
      { label: 'Group', value: group.key },
      { label: 'Severity', value: group.severity },
      { label: 'Events', value: group.count.toLocaleString('en') },
    ],
    project,
    url: links.group(group.id),
    silenceUrl: links.silence(group.id),
    why,
    at,
    subject: { kind: 'group', group },
  };
}

export function digestMessage(
  digest: Digest,
  {
    severity,
    threadId,
    url,
    lead,
  }: { severity: Severity; threadId: string; url: string | null; lead: string },
  { deliveryId, project, why, at }: MessageContext,
): Message {
  const { total, open, resolved, listed } = digest;
  const headline = `${total.toLocaleString('en')} more notifications ${lead}: ${open.toLocaleString('en')} open, ${resolved.toLocaleString('en')} resolved`;
  return {
    type: 'digest',
    deliveryId,
    threadId,
    state: open > 0 ? 'firing' : 'resolved',
    severity,
    headline,
    threadHeadline: toThreadHeadline({ title: headline, severity }),
    lines: listed.map((each) => `${each.severity}: ${toLine(each.title)} (${each.status})`),
    facts: projectFacts(project),
    project,
    url,
    silenceUrl: null,
    why,
    at,
    subject: { kind: 'digest', digest },
  };
}

export function testMessage(
  target: string,
  { deliveryId, links, at }: Pick<MessageContext, 'deliveryId' | 'links' | 'at'>,
): Message {
  const headline = `Test notification for “${toLine(target)}”`;
  return {
    type: 'test',
    deliveryId,
    threadId: 'test',
    state: 'notice',
    severity: 'info',
    headline,
    threadHeadline: toThreadHeadline({ title: headline, severity: 'info' }),
    lines: ['Incident notifications will arrive here like this one.'],
    facts: [],
    project: null,
    url: links.incident(''),
    silenceUrl: null,
    why: 'A member of the organization pressed “Send a test”.',
    at,
    subject: { kind: 'test' },
  };
}

function projectFacts(project: MessageProject | null): Message['facts'] {
  return project ? [{ label: 'Project', value: toLine(project.name) }] : [];
}
