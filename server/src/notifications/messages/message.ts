import type { FailedPayments } from '../../events/failed-payments.ts';
import type { Severity } from '../../events/severity.ts';
import type { Group } from '../../groups/schema.ts';
import type { Incident } from '../../incidents/schema.ts';
import type { Schedule } from '../../schedules/schema.ts';

/** Type of a message, and the `type` of a webhook's body. */
type MessageType =
  | 'incident.opened'
  | 'incident.worse'
  | 'incident.resolved'
  /** Edits alone: acknowledged, or a series joined. */
  | 'incident.updated'
  | 'group.new'
  | 'group.regressed'
  | 'schedule.missed'
  /** Many changes at once, in one message. */
  | 'digest'
  | 'test';

export interface MessageProject {
  id: string;
  name: string;
  environment: string;
}

/** Subject of a message, as the API shows it. */
export type Subject =
  | { kind: 'incident'; incident: Incident; failedPayments: FailedPayments | null }
  | { kind: 'group'; group: Group }
  /** With the incident that it opened. */
  | { kind: 'schedule'; schedule: ScheduleSubject; incident: Incident }
  | { kind: 'digest'; digest: Digest }
  | { kind: 'test' };

/** A declared schedule whose run was missed, failed or did not end. */
export interface ScheduleSubject extends Schedule {
  /** When the run was expected; null: at no certain time. */
  expectedAt: string | null;
}

/** Subjects that came too fast for messages of their own. */
export interface Digest {
  since: string;
  /** Number of different incidents and groups. */
  total: number;
  open: number;
  resolved: number;
  bySeverity: Record<Severity, number>;
  /** The worst, at most ten. */
  listed: { id: string; title: string; severity: Severity; status: string; url: string | null }[];
  /** States of the others, the worst first, at most a thousand. */
  others: { id: string; status: string }[];
}

/**
 * A message as every channel receives it: its subject's current state, and its words as plain text. Every text may
 * contain what an application or a user wrote: a channel escapes all of it.
 */
export interface Message {
  type: MessageType;
  /** Id of the delivery: the same for each attempt and for nothing else. */
  deliveryId: string;
  /** Id of the subject, such as `inc_…`: thread of messages, PagerDuty's `dedup_key`, root of a mail thread. */
  threadId: string;
  /** State of the needed action: `acknowledged` is `investigating`, `notice` needs nothing. */
  state: 'firing' | 'acknowledged' | 'resolved' | 'notice';
  severity: Severity;
  /** One line, such as "Resolved: checkout errors in shop". */
  headline: string;
  /** Subject of every mail of the thread, the same from the first to the last: mail programs group by it. */
  threadHeadline: string;
  /** Sentences, each a paragraph. */
  lines: string[];
  /** Labels with values, in order of display. */
  facts: { label: string; value: string }[];
  /** Null: the message is about several. */
  project: MessageProject | null;
  /** Page about the subject; null without PUBLIC_URL. */
  url: string | null;
  /** The same page with the dialog that silences it; null: nothing can be silenced, or there is no PUBLIC_URL. */
  silenceUrl: string | null;
  /** Sentence that names the route by which the message came. */
  why: string;
  at: Date;
  subject: Subject;
}
