import { isObject, type JsonObject } from '../../platform/json/json-object.ts';
import type { Observation } from '../event/to-event.ts';
import { textOf } from './json-values.ts';
import { newItemRoom, readException, toObservation } from './observation.ts';
import type { Origin } from './origin.ts';
import { readSeverity } from './severity.ts';

/** Converts a log record to one event. */
export function fromLogRecord(record: JsonObject, origin: Origin, receivedAtMs: number): Observation {
  const room = newItemRoom();
  const eventName = textOf(record.eventName);
  const severityText = textOf(record.severityText);
  const exception = readException(record.attributes);
  const body = readBody(record.body);
  const details = {
    ...(typeof body !== 'string' && { body: room.readValue(record.body) }),
    ...(severityText !== '' && { severityText: room.readText(severityText) }),
    ...(eventName !== '' && { eventName: room.readText(eventName) }),
  };
  const message = typeof body === 'string' ? body : JSON.stringify(details.body);
  return toObservation(
    {
      type: exception.type ?? (eventName || 'log'),
      severity: readSeverity(record.severityNumber, record.severityText),
      message: message || exception.message || '',
      attributes: record.attributes,
      exception,
      traceId: record.traceId,
      spanId: record.spanId,
      times: [record.timeUnixNano, record.observedTimeUnixNano],
      details,
      room,
      origin,
    },
    receivedAtMs,
  );
}

/** Returns the text of a body, empty for none; undefined for an object or a list. */
function readBody(body: unknown): string | undefined {
  if (!isObject(body)) return '';
  if (body.kvlistValue !== undefined || body.arrayValue !== undefined) return undefined;
  return textOf(body.stringValue ?? body.intValue ?? body.doubleValue ?? body.boolValue ?? body.bytesValue);
}
