import { type JsonObject, toObject } from '../../platform/json/json-object.ts';
import type { Observation } from '../event/to-event.ts';

import { compact } from './observation-parts.ts';
import { readEvent } from './read-event.ts';
import type { RequestTimes } from './read-time.ts';

/** Reads what a user wrote: an event whose text is in its context `feedback`, or in the report of an older client. */
export function readFeedback(item: JsonObject, times: RequestTimes, isChanged: boolean): Observation {
  const { feedback } = toObject(item.contexts);
  const { message, ...about } = toObject(
    feedback ?? {
      ...item,
      message: item.comments,
      contact_email: item.email,
      associated_event_id: item.event_id,
    },
  );
  const event = readEvent({ ...item, message, level: 'info', exception: undefined }, times, isChanged);
  const { contact_email, name, url, associated_event_id } = about;
  return {
    ...event,
    type: 'feedback',
    payload: compact({ contact_email, name, url, associated_event_id, ...event.payload }),
  };
}
