import type { EventFilterParameters, ListedEventRecord } from '../../../lib/api-types.ts';

/** Whether an event that comes in live belongs into a list: the filters as the service understands them, but the time. */
export function fitsFilter(event: ListedEventRecord, filter: EventFilterParameters): boolean {
  return (
    isOrUnset(filter.project_id, event.projectId) &&
    isOrUnset(filter.type, event.type) &&
    isOrUnset(filter.severity, event.severity) &&
    isOrUnset(filter.source, event.source) &&
    isOrUnset(filter.correlation_id, event.correlationId) &&
    isOrUnset(filter.fingerprint, event.fingerprint) &&
    isOrUnset(filter.release, event.release) &&
    holdsWords(event.message, filter.q ?? '')
  );
}

function isOrUnset(wanted: string | undefined, value: string | null): boolean {
  return wanted === undefined || wanted === value;
}

/** As far as the service searches a message. */
const SEARCHED_CHARACTERS = 2_000;

function holdsWords(message: string, words: string): boolean {
  const text = message.slice(0, SEARCHED_CHARACTERS).toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
