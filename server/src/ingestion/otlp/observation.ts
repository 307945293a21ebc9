import { MAX_TYPE_LENGTH } from '../../events/limits.ts';
import type { Severity } from '../../events/severity.ts';
import { isoTime } from '../../platform/time.ts';
import { Changes } from '../event/changes.ts';
import { cutText, toStorable } from '../event/cut-text.ts';
import { type Correlation, MAX_MESSAGE_LENGTH } from '../event/schema.ts';
import { parseStackFrames } from '../event/stack-frames.ts';
import type { Observation } from '../event/to-event.ts';
import { clampCapture } from '../mappers/custom-event.ts';
import { fieldOf, findAttribute, findValue, textOf, timeOf } from './json-values.ts';
import type { Origin } from './origin.ts';
import { ValueRoom } from './value-room.ts';

/** Room of the attributes of an item, and of its stack trace. */
const ITEM_ROOM = { characters: 128 * 1024, values: 1_024 };
const STACK_ROOM = { characters: 128 * 1024, values: 1 };

const MAX_CORRELATION_KEYS = 32;
const MAX_CORRELATION_LENGTH = 256;

/** Stored as `stack` and `frames`. */
const STACK = 'exception.stacktrace';
const STORED_ELSEWHERE = new Set([STACK]);

/** Attributes that name what an event belongs to, such as `order_id`; spans are parts of a trace. */
const CORRELATED = /_id$/;
const NOT_CORRELATED = new Set(['span_id', 'parent_id', 'parent_span_id', 'trace_id']);
const NO_TRACE = /^0*$/;

/** Exception as the semantic conventions describe it, and as the SDKs record it. */
export interface RecordedException {
  type: string | null;
  message: string | null;
  stack: string | null;
}

/** Reads the exception of an item: its attributes, else the object `err` that pino makes of an error. */
export function readException(attributes: unknown): RecordedException {
  const exception = {
    type: findAttribute(attributes, 'exception.type'),
    message: findAttribute(attributes, 'exception.message'),
    stack: findAttribute(attributes, STACK),
  };
  if (exception.type !== null || exception.stack !== null) return exception;
  const error = fieldOf(findValue(attributes, 'err'), 'kvlistValue');
  const fields = fieldOf(error, 'values');
  const stack = findAttribute(fields, 'stack');
  if (stack === null) return exception;
  return { type: findAttribute(fields, 'type'), message: findAttribute(fields, 'message'), stack };
}

/** Item of an export as far as its kind has read it. */
export interface ReadItem {
  type: string;
  severity: Severity;
  message: string;
  /** List of `KeyValue`. */
  attributes: unknown;
  exception: RecordedException;
  traceId: unknown;
  spanId: unknown;
  /** Times in nanoseconds, the best first. */
  times: readonly unknown[];
  /** Further parts of the payload. */
  details: Record<string, unknown>;
  /** True if a detail was shortened or left out. */
  isCut?: boolean;
  /** Room for the attributes, which details may have used a part of. */
  room: ValueRoom;
  origin: Origin;
}

export function newItemRoom(): ValueRoom {
  return new ValueRoom(ITEM_ROOM);
}

/** Converts an item to the observation of an event, within its limits, and says what they cut. */
export function toObservation(item: ReadItem, receivedAtMs: number): Observation {
  const { severity, origin, room } = item;
  const stackText = item.exception.stack;
  const stackRoom = new ValueRoom(STACK_ROOM);
  const stack = stackText === null ? null : stackRoom.readText(stackText);
  const attributes = room.readAttributes(item.attributes, STORED_ELSEWHERE);
  const changes = new Changes();
  const traceId = readId(item.traceId, changes);
  const spanId = readId(item.spanId, changes);
  const message = toStorable(cutText(item.message, MAX_MESSAGE_LENGTH));
  const type = toStorable(cutText(item.type, MAX_TYPE_LENGTH));
  const sentMs = item.times.reduce<number | null>((known, time) => known ?? timeOf(time), null);
  const capturedAtMs = sentMs === null ? undefined : clampCapture(sentMs, receivedAtMs);

  changes.add('clock', sentMs !== null && capturedAtMs !== sentMs);
  const isCut = item.isCut || room.isCut || stackRoom.isCut || origin.isCut;
  changes.add('fields', isCut || message !== item.message || type !== item.type);
  const correlation = toCorrelation(item.attributes, attributes, traceId, changes);
  const changed = changes.list;
  return {
    type,
    severity,
    source: origin.source,
    message,
    payload: {
      ...item.details,
      attributes,
      resource: origin.resource,
      scope: origin.scope,
      ...(traceId && { traceId }),
      ...(spanId && { spanId }),
      ...(sentMs !== null && capturedAtMs !== sentMs && { timestamp: isoTime(sentMs) }),
      ...(stack !== null && { stack, frames: parseStackFrames(stack) }),
    },
    correlation,
    release: origin.release,
    environment: origin.environment,
    capturedAtMs,
    stack,
    ...(changed && { changed }),
  };
}

/** Returns an id in hexadecimal digits; null: the item has none. */
function readId(value: unknown, changes: Changes): string | null {
  const id = toStorable(textOf(value));
  if (NO_TRACE.test(id)) return null;
  return isShort(id, changes) ? id : null;
}

function toCorrelation(
  list: unknown,
  attributes: Record<string, unknown>,
  traceId: string | null,
  changes: Changes,
): Correlation {
  const correlation: Correlation = {};
  const user = findAttribute(list, 'user.id') ?? findAttribute(list, 'enduser.id');
  if (user !== null && isShort(user, changes)) correlation.user_id = toStorable(user);
  if (traceId !== null) correlation.trace_id = traceId;
  let keys = Object.keys(correlation).length;
  for (const [key, value] of Object.entries(attributes)) {
    if (!CORRELATED.test(key) || NOT_CORRELATED.has(key)) continue;
    const isText = typeof value === 'string';
    if (!isText && typeof value !== 'number' && typeof value !== 'boolean') continue;
    if (isText && !isShort(value, changes)) continue;
    if (keys === MAX_CORRELATION_KEYS) {
      changes.add('fields');
      break;
    }
    correlation[key] = value;
    keys++;
  }
  return correlation;
}

/** Returns false for an id that is too long to be one of a correlation, which is a change. */
function isShort(id: string, changes: Changes): boolean {
  const isLong = id.length > MAX_CORRELATION_LENGTH;
  changes.add('fields', isLong);
  return !isLong;
}
