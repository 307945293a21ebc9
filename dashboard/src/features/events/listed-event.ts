import type { Event, ListedEventRecord } from '../../lib/api-types.ts';

/** The part of an event that a row shows. */
export interface ListedEvent
  extends Pick<
    Event,
    | 'id'
    | 'type'
    | 'severity'
    | 'source'
    | 'message'
    | 'correlationId'
    | 'fingerprint'
    | 'projectId'
    | 'capturedAt'
    | 'receivedAt'
  > {
  /** The event with its payload, where it came with one; else it is read when it is opened. */
  whole: Event | null;
}

/** Longer than any row is wide. */
const MAX_MESSAGE_LENGTH = 400;

export function toListed(event: ListedEventRecord): ListedEvent {
  const { payload, correlation: _correlation, message, ...row } = event;
  const whole = payload ? { ...event, payload } : null;
  return { ...row, message: message.slice(0, MAX_MESSAGE_LENGTH), whole };
}

/** Newest first: the times are the first part of the ids. */
export function byNewest(one: ListedEvent, other: ListedEvent): number {
  if (one.id === other.id) return 0;
  return one.id < other.id ? 1 : -1;
}
