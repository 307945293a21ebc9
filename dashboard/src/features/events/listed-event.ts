import type { Event } from '../../lib/api-types.ts';

/** What a row shows of an event. */
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
  /** The event with its payload; null where it would only fill the memory, and is read again when it is opened. */
  whole: Event | null;
}

/** Longer than any row is wide. */
const MAX_MESSAGE_LENGTH = 400;

export function toListed(event: Event, keepWhole: boolean): ListedEvent {
  const { id, type, severity, source, correlationId, fingerprint, projectId, capturedAt, receivedAt } = event;
  const message = event.message.slice(0, MAX_MESSAGE_LENGTH);
  const whole = keepWhole ? event : null;
  return {
    id,
    type,
    severity,
    source,
    message,
    correlationId,
    fingerprint,
    projectId,
    capturedAt,
    receivedAt,
    whole,
  };
}

/** Newest first: the times are the first part of the ids. */
export function byNewest(one: ListedEvent, other: ListedEvent): number {
  if (one.id === other.id) return 0;
  return one.id < other.id ? 1 : -1;
}
