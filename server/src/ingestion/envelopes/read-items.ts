import { setImmediate as nextTurn } from 'node:timers/promises';
import { ApiError } from '../../platform/errors.ts';
import { isObject, type JsonObject, toObject } from '../../platform/json/json-object.ts';
import { MAX_EVENT_BYTES } from '../event/schema.ts';
import { parseStorableJson, type StorableJson } from '../event/storable-json.ts';
import type { Observation } from '../event/to-event.ts';
import { NOT_KEPT } from '../intake/item-counts.ts';
import { BYTES_A_TURN } from '../intake/limits.ts';
import { knownCategory, knownReason, OTHER, unstoredKindOf } from './item-kinds.ts';
import { toCount, toValues } from './json-values.ts';
import { type ReportedCheckIn, readCheckIn } from './read-check-in.ts';
import type { Envelope, EnvelopeItem } from './read-envelope.ts';
import { readEvent } from './read-event.ts';
import { readFeedback } from './read-feedback.ts';
import { readLog, readLogContainer } from './read-log.ts';
import { type RequestTimes, toMilliseconds } from './read-time.ts';

/** Content of a request, once it is read. */
export interface EnvelopeContent {
  /** Id of its event, 32 hexadecimal digits; null: it has none. */
  eventId: string | null;
  /** True if a repeat is recognised by the id: that of a report on another event is not its own. */
  ownsId: boolean;
  observations: Observation[];
  checkIns: ReportedCheckIn[];
  /** Items that lead to no event, by kind and reason. */
  unstored: { kind: string; reason: string; quantity: number }[];
}

/**
 * Reads the items of an envelope. Other requests get their turns between them.
 * @throws ApiError as the readers of the items: nothing of the envelope is accepted then
 */
export async function readItems(
  { headers, items }: Envelope,
  receivedAtMs: number,
): Promise<EnvelopeContent> {
  const sentAtMs = toMilliseconds(headers.sent_at);
  const content = { ...emptyContent(), eventId: readEventId(headers.event_id) };
  let turnBytes = 0;
  for (const item of items) {
    readItem(item, { receivedAtMs, sentAtMs }, content);
    turnBytes += item.bytes.length;
    if (turnBytes < BYTES_A_TURN) continue;
    turnBytes = 0;
    await nextTurn();
  }
  return content;
}

/** Reads the body of a request that is an event without an envelope. @throws ApiError as `readItems` */
export function readLoneEvent(bytes: Buffer, receivedAtMs: number): EnvelopeContent {
  const content = emptyContent();
  addEvent(content, parseObject(bytes), { receivedAtMs, sentAtMs: null }, readEvent);
  return content;
}

/**
 * Reads a check-in that is sent without an envelope: its status and the id of its run are in the query or the body, its
 * timetable is in the body.
 * @throws ApiError as `readItems`
 */
export function readLoneCheckIn(bytes: Buffer, slug: string, query: unknown): EnvelopeContent {
  const sent = bytes.length === 0 ? {} : parseObject(bytes).value;
  const checkIn = readCheckIn({ ...toObject(query), ...sent, monitor_slug: slug });
  return { ...emptyContent(), checkIns: [checkIn] };
}

export function emptyContent(): EnvelopeContent {
  return { eventId: null, ownsId: false, observations: [], checkIns: [], unstored: [] };
}

function addEvent(
  content: EnvelopeContent,
  { value, isChanged }: { value: JsonObject; isChanged: boolean },
  times: RequestTimes,
  read: typeof readEvent,
): void {
  content.eventId ??= readEventId(value.event_id);
  content.ownsId = true;
  content.observations.push(read(value, times, isChanged));
}

function readItem(
  { type, headers, bytes }: EnvelopeItem,
  times: RequestTimes,
  content: EnvelopeContent,
): void {
  switch (type) {
    case 'event':
      return addEvent(content, parseObject(bytes), times, readEvent);
    case 'feedback':
      return addEvent(content, parseObject(bytes), times, readFeedback);
    case 'user_report': {
      const { value, isChanged } = parseObject(bytes);
      content.observations.push(readFeedback(value, times, isChanged));
      return;
    }
    case 'log': {
      const { value, isChanged } = parseObject(bytes);
      const { records, leftOut } = readLogContainer(value);
      for (const record of records) content.observations.push(readLog(record, times, isChanged));
      if (leftOut > 0) content.unstored.push({ kind: 'log_item', reason: OTHER, quantity: leftOut });
      return;
    }
    case 'check_in':
      content.checkIns.push(readCheckIn(parseObject(bytes).value));
      return;
    case 'client_report':
      for (const { category, reason, quantity } of toValues(parseObject(bytes).value.discarded_events))
        content.unstored.push({
          kind: knownCategory(category),
          reason: knownReason(reason),
          quantity: toCount(quantity) ?? 0,
        });
      return;
    default:
      content.unstored.push({
        kind: unstoredKindOf(type),
        reason: NOT_KEPT,
        quantity: toCount(headers.item_count) ?? 1,
      });
  }
}

/** @throws ApiError `body_too_large` or `malformed_json` */
export function parseValue(bytes: Buffer): StorableJson {
  if (bytes.length > MAX_EVENT_BYTES) throw new ApiError('body_too_large', 'An event is larger than 1 MiB.');
  return parseStorableJson(bytes);
}

/** As `parseValue`. @throws ApiError `validation_failed` */
function parseObject(bytes: Buffer): StorableJson & { value: JsonObject } {
  const { value, isChanged } = parseValue(bytes);
  if (!isObject(value)) throw new ApiError('validation_failed', 'An item of the envelope is not an object.');
  return { value, isChanged };
}

/** @throws ApiError `validation_failed` if it is there and is not 32 hexadecimal digits, with dashes or without */
function readEventId(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  const id = typeof value === 'string' ? value.replaceAll('-', '').toLowerCase() : '';
  if (!/^[\da-f]{32}$/.test(id))
    throw new ApiError('validation_failed', 'The event_id must have 32 hexadecimal digits.');
  return id;
}
