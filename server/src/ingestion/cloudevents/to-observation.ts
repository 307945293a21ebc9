import { MAX_SOURCE_LENGTH, MAX_TYPE_LENGTH } from '../../events/limits.ts';
import { SEVERITIES } from '../../events/severities.ts';
import { ApiError } from '../../platform/errors.ts';
import { isObject, type JsonObject } from '../../platform/json/json-object.ts';
import { parseIsoTime } from '../../platform/time.ts';
import { Changes } from '../event/changes.ts';
import { idPairs, toCorrelation } from '../event/correlation.ts';
import { MAX_MESSAGE_LENGTH } from '../event/schema.ts';
import type { Observation } from '../event/to-event.ts';
import { clampCapture } from '../mappers/custom-event.ts';
import type { CloudEvent } from './read-cloud-events.ts';

/** Attributes that each event has, by the specification. */
const REQUIRED = ['specversion', 'id', 'source', 'type'] as const;
const TRACE = /^[\da-f]{2}-([\da-f]{32})-/;

/** Source and id, by which a repeat is recognised. */
export interface CloudEventName {
  source: string;
  id: string;
}

/** @throws ApiError `validation_failed` if a required attribute is missing */
export function nameOf({ attributes }: CloudEvent): CloudEventName {
  for (const name of REQUIRED) {
    const value = attributes[name];
    if (typeof value === 'string' && value !== '') continue;
    throw new ApiError('validation_failed', `A CloudEvent must have the attribute ${name}.`);
  }
  return { source: textOf(attributes, 'source'), id: textOf(attributes, 'id') };
}

/** Converts a CloudEvent whose required attributes are there. */
export function toObservation({ attributes, isChanged }: CloudEvent, receivedAtMs: number): Observation {
  const data = isObject(attributes['data']) ? attributes['data'] : {};
  const subject = textOf(attributes, 'subject');
  const type = textOf(attributes, 'type');
  const saidMs = parseIsoTime(textOf(attributes, 'time')) ?? receivedAtMs;
  const capturedAtMs = clampCapture(saidMs, receivedAtMs);
  const severity = textOf(attributes, 'severity').toLowerCase();
  const [, traceId] = TRACE.exec(textOf(attributes, 'traceparent')) ?? [];
  const message = textOf(data, 'message') || [type, subject].filter(Boolean).join(' ');
  const changes = new Changes();
  changes.add('fields', isChanged);
  changes.add('clock', capturedAtMs !== saidMs);
  return {
    type: changes.cut(type, MAX_TYPE_LENGTH),
    severity: SEVERITIES.find((each) => each === severity) ?? 'info',
    source: changes.cut(textOf(attributes, 'source'), MAX_SOURCE_LENGTH),
    message: changes.cut(message, MAX_MESSAGE_LENGTH),
    payload: attributes,
    correlation: toCorrelation([['trace_id', traceId], ['subject', subject], ...idPairs(data)], changes),
    capturedAtMs,
    changed: changes.list,
  };
}

function textOf(values: JsonObject, name: string): string {
  const value = values[name];
  return typeof value === 'string' ? value : '';
}
