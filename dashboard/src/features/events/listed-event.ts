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
    | 'weight'
  > {
  /** Event with its payload, if it came with one; otherwise it is read when it is opened. */
  whole: Event | null;
}

/** Maximum length of a message in a row, more than any row can show. */
const MAX_MESSAGE_LENGTH = 400;

export function toListed(event: ListedEventRecord): ListedEvent {
  const { payload, correlation: _correlation, message, ...row } = event;
  const whole = payload ? { ...event, payload } : null;
  return { ...row, message: message.slice(0, MAX_MESSAGE_LENGTH), whole };
}

/** Compares events, newest first: ids begin with the time. */
export function byNewest(one: ListedEvent, other: ListedEvent): number {
  if (one.id === other.id) return 0;
  return one.id < other.id ? 1 : -1;
}
