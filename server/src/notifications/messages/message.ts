import type { Severity } from '../../events/severity.ts';
import type { Group } from '../../groups/schema.ts';
import type { Incident } from '../../incidents/schema.ts';
import type { Schedule } from '../../schedules/schema.ts';

/** What a message says, and the `type` of a webhook's body. */
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

/** What a message is about, as the API shows it. */
export type Subject =
  | { kind: 'incident'; incident: Incident }
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

/** What came too fast for messages of its own. */
export interface Digest {
  since: string;
  /** Different incidents and groups. */
  total: number;
  open: number;
  resolved: number;
  bySeverity: Record<Severity, number>;
  /** The worst, at most ten. */
  listed: { id: string; title: string; severity: Severity; status: string; url: string | null }[];
  /** The states of the others, the worst first, at most a thousand. */
  others: { id: string; status: string }[];
}

/**
 * A message as every channel is given it: what it is about as it is now, and its words as plain text. Every text may hold
 * what an application or a user wrote: a channel escapes all of it.
 */
export interface Message {
  type: MessageType;
  /** Of the delivery: the same for each attempt and for nothing else. */
  deliveryId: string;
  /** Of what it is about, such as `inc_…`: messages of one thread, PagerDuty's `dedup_key`, the root of a mail thread. */
  threadId: string;
  /** Whether it waits for an action: `acknowledged` is `investigating`, `notice` needs nothing. */
  state: 'firing' | 'acknowledged' | 'resolved' | 'notice';
  severity: Severity;
  /** One line, such as "Resolved: checkout errors in shop". */
  headline: string;
  /** The same with the title with which the thread began: mail programs group by it. */
  threadHeadline: string;
  /** Sentences, each a paragraph. */
  lines: string[];
  /** Labels with values, in their order. */
  facts: { label: string; value: string }[];
  /** Null: it is about several. */
  project: MessageProject | null;
  /** The page about it; null without PUBLIC_URL. */
  url: string | null;
  /** The same page with the dialog that silences it; null: nothing is to be silenced, or as above. */
  silenceUrl: string | null;
  /** A sentence: by which route the message came. */
  why: string;
  at: Date;
  subject: Subject;
}
