import { setImmediate as nextTurn } from 'node:timers/promises';
import { ApiError } from '../../platform/errors.ts';
import { isObject, type JsonObject, toList, toObject } from '../../platform/json/json-object.ts';
import type { NamedReport } from '../../schedules/record-check-in.ts';
import { MAX_EVENT_BYTES } from '../event/schema.ts';
import { parseJson, parseStorableJson, type StorableJson, toStorableJson } from '../event/storable-json.ts';
import type { Observation } from '../event/to-event.ts';
import { NOT_KEPT } from '../intake/item-counts.ts';
import { BYTES_A_TURN } from '../intake/limits.ts';
import { reasonOf, UNREADABLE } from '../intake/refusal-reasons.ts';
import { kindOf, knownCategory, knownReason } from './item-kinds.ts';
import { toCount, toValues } from './json-values.ts';
import { readCheckIn } from './read-check-in.ts';
import type { Envelope, EnvelopeItem } from './read-envelope.ts';
import { readEvent } from './read-event.ts';
import { readFeedback } from './read-feedback.ts';
import { readLog } from './read-log.ts';
import { readSecurityReports } from './read-security-report.ts';
import { type RequestTimes, toMilliseconds } from './read-time.ts';

/** Events of one item. */
interface ItemEvents {
  /** Category of the client, under which those that are left out are counted. */
  kind: string;
  readers: readonly (() => Observation)[];
}

/** Content of a request: complete once all of its events were read. */
export interface EnvelopeContent {
  /** Id of its event, 32 hexadecimal digits; null: it has none. */
  eventId: string | null;
  /** True if a repeat is recognised by the id: that of a report on another event is not its own. */
  ownsId: boolean;
  /** Events item by item: the next item is parsed once those of the one before were read. */
  events: Iterable<ItemEvents> | AsyncIterable<ItemEvents>;
  checkIns: NamedReport[];
  /** Items that lead to no event, by kind and reason. */
  unstored: { kind: string; reason: string; quantity: number }[];
  /** Refusal of the first item that cannot be read; null: there is none. */
  refusal: ApiError | null;
}

/**
 * Returns the content of an envelope. Other requests get their turns between its items. An item that cannot be read is
 * counted, and refuses none of the others.
 * @throws ApiError `validation_failed`
 */
export function readItems({ headers, items }: Envelope, receivedAtMs: number): EnvelopeContent {
  const content = { ...emptyContent(), eventId: readEventId(headers.event_id) };
  const times = { receivedAtMs, sentAtMs: toMilliseconds(headers.sent_at) };
  return Object.assign(content, { events: walkItems(items, times, content) });
}

async function* walkItems(
  items: readonly EnvelopeItem[],
  times: RequestTimes,
  content: EnvelopeContent,
): AsyncGenerator<ItemEvents> {
  let turnBytes = 0;
  for (const item of items) {
    const events = readOrCount(item, times, content);
    if (events) yield events;
    turnBytes += item.bytes.length;
    if (turnBytes < BYTES_A_TURN) continue;
    turnBytes = 0;
    await nextTurn();
  }
}

/** Reads the body of a request that is an event without an envelope. @throws ApiError `body_too_large` and others */
export function readLoneEvent(bytes: Buffer, receivedAtMs: number): EnvelopeContent {
  const content = emptyContent();
  const times = { receivedAtMs, sentAtMs: null };
  content.events = [readOwnEvent(bytes, times, content, { kind: kindOf('event'), read: readEvent })];
  return content;
}

/**
 * Reads a check-in that is sent without an envelope: its status and the id of its run are in the query or the body, its
 * timetable is in the body.
 * @throws ApiError as `readLoneEvent`
 */
export function readLoneCheckIn(bytes: Buffer, slug: string, query: unknown): EnvelopeContent {
  const sent = bytes.length === 0 ? {} : parseObject(bytes).value;
  const checkIn = readCheckIn({ ...toObject(query), ...sent, monitor_slug: slug });
  return { ...emptyContent(), checkIns: [checkIn] };
}

function emptyContent(): EnvelopeContent {
  return { eventId: null, ownsId: false, events: [], checkIns: [], unstored: [], refusal: null };
}

/** Reads an event whose id is that of the request. */
function readOwnEvent(
  bytes: Buffer,
  times: RequestTimes,
  content: EnvelopeContent,
  { kind, read }: { kind: string; read: typeof readEvent },
): ItemEvents {
  const { value, isChanged } = parseObject(bytes);
  content.eventId ??= readEventId(value.event_id);
  content.ownsId = true;
  return { kind, readers: [() => read(value, times, isChanged)] };
}

function readOrCount(item: EnvelopeItem, times: RequestTimes, content: EnvelopeContent): ItemEvents | null {
  try {
    return readItem(item, times, content);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const quantity = toCount(item.headers.item_count) ?? 1;
    content.unstored.push({ kind: kindOf(item.type), reason: reasonOf(error), quantity });
    content.refusal ??= error;
    return null;
  }
}

/** Reads an item into the content. @returns its events; null: it has none */
function readItem(
  { type, headers, bytes }: EnvelopeItem,
  times: RequestTimes,
  content: EnvelopeContent,
): ItemEvents | null {
  const kind = kindOf(type);
  switch (type) {
    case 'event':
      return readOwnEvent(bytes, times, content, { kind, read: readEvent });
    case 'feedback':
      return readOwnEvent(bytes, times, content, { kind, read: readFeedback });
    case 'user_report': {
      const { value, isChanged } = parseObject(bytes);
      return { kind, readers: [() => readFeedback(value, times, isChanged)] };
    }
    case 'log': {
      const items = toList(parseRawObject(bytes).items);
      const records = items.filter(isObject);
      if (records.length < items.length)
        content.unstored.push({ kind, reason: UNREADABLE, quantity: items.length - records.length });
      return { kind, readers: records.map((record) => () => readLog(record, times)) };
    }
    case 'check_in':
      content.checkIns.push(readCheckIn(parseObject(bytes).value));
      return null;
    case 'client_report':
      for (const { category, reason, quantity } of toValues(parseObject(bytes).value.discarded_events))
        content.unstored.push({
          kind: knownCategory(category),
          reason: knownReason(reason),
          quantity: toCount(quantity) ?? 0,
        });
      return null;
    default:
      content.unstored.push({
        kind,
        reason: NOT_KEPT,
        quantity: toCount(headers.item_count) ?? 1,
      });
      return null;
  }
}

/** Returns readers of a report of a browser. @throws ApiError as `readLoneEvent` */
export function readReports(bytes: Buffer): EnvelopeContent {
  assertEventSize(bytes);
  const { value, isChanged } = parseStorableJson(bytes);
  const events = [{ kind: 'security', readers: readSecurityReports(value, isChanged) }];
  return { ...emptyContent(), events };
}

function parseObject(bytes: Buffer): StorableJson & { value: JsonObject } {
  const value = parseRawObject(bytes);
  return { value, isChanged: toStorableJson(value).isChanged };
}

/** As `parseObject`, without correcting anything. @throws ApiError `body_too_large`, `malformed_json` or `validation_failed` */
function parseRawObject(bytes: Buffer): JsonObject {
  assertEventSize(bytes);
  const value = parseJson(bytes);
  if (!isObject(value)) throw new ApiError('validation_failed', 'An item of the envelope is not an object.');
  return value;
}

function assertEventSize(bytes: Buffer): void {
  if (bytes.length > MAX_EVENT_BYTES) throw new ApiError('body_too_large', 'An event is larger than 1 MiB.');
}

/** @throws ApiError `validation_failed` if it is there and is not 32 hexadecimal digits, with dashes or without */
function readEventId(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  const id = typeof value === 'string' ? value.replaceAll('-', '').toLowerCase() : '';
  if (!/^[\da-f]{32}$/.test(id))
    throw new ApiError('validation_failed', 'The event_id must have 32 hexadecimal digits.');
  return id;
}
