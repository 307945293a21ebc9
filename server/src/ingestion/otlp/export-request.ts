import { isUtf8 } from 'node:buffer';
import { ApiError } from '../../platform/errors.ts';
import { hasMoreValues } from '../../platform/json/json-bytes.ts';
import { isObject, type JsonObject, toList } from '../../platform/json/json-object.ts';
import type { Observation } from '../event/to-event.ts';
import { isFull, MAX_REQUEST_EVENTS, type RequestSize } from '../intake/limits.ts';
import { fieldOf } from './json-values.ts';
import { fromLogRecord } from './log-record.ts';
import { LOGS, type Signal } from './messages.ts';
import { type Origin, readOrigin, readService } from './origin.ts';
import { fromSpan } from './span.ts';
import { decodeMessage } from './wire.ts';

/** Maximum values of a request: it bounds the memory that a small body unpacks to. */
const MAX_REQUEST_VALUES = 250_000;
/** Maximum values of one item of a binary request. */
const MAX_ITEM_VALUES = 20_000;

export type OtlpFormat = 'json' | 'protobuf';

/** Numbers of a request, complete once its observations were read. */
export interface ExportCounts extends RequestSize {
  items: number;
  /** Items, or exceptions of spans, beyond the bounds. */
  beyond: number;
  /** Items that are not of the kind of the request. */
  unreadable: number;
  /** Events beyond a quota. */
  overQuota: number;
  /** True if any item has a time: only then a repeat of the body is a repeat of its items. */
  hasTime: boolean;
}

export const NO_ITEMS: Readonly<ExportCounts> = {
  items: 0,
  events: 0,
  characters: 0,
  beyond: 0,
  unreadable: 0,
  overQuota: 0,
  hasTime: false,
};

/**
 * Parses the body of an export; the items of a binary one stay bytes.
 * @throws ApiError `bad_request` or `malformed_json` if it is none; `body_too_large` if it has too many values
 */
export function parseRequest(bytes: Buffer, format: OtlpFormat, { request }: Signal): JsonObject {
  if (format === 'protobuf') return decodeMessage(bytes, request, MAX_REQUEST_VALUES);
  if (hasMoreValues(bytes, MAX_REQUEST_VALUES))
    throw new ApiError(
      'body_too_large',
      `The body has more than ${MAX_REQUEST_VALUES} values: export smaller batches.`,
    );
  if (!isUtf8(bytes)) throw new ApiError('malformed_json', 'The body is not valid UTF-8.');
  try {
    const value: unknown = JSON.parse(bytes.toString());
    if (isObject(value)) return value;
  } catch {
    // The refusal is the same.
  }
  throw new ApiError('malformed_json', 'The body cannot be parsed as a JSON object of OTLP.');
}

/** Yields the events that a request leads to, and counts its items. */
export function* readObservations(
  request: JsonObject,
  signal: Signal,
  receivedAtMs: number,
  counts: ExportCounts,
): Generator<Observation> {
  for (const { item: raw, origin } of walkItems(request, signal)) {
    if (counts.items++ >= MAX_REQUEST_EVENTS || isFull(counts)) {
      counts.beyond++;
      continue;
    }
    const item = openItem(raw, signal);
    if (item === null) {
      counts.unreadable++;
      continue;
    }
    if (signal === LOGS) {
      yield count(fromLogRecord(item, origin(), receivedAtMs), counts);
      continue;
    }
    for (const observation of fromSpan(item, origin(), receivedAtMs)) {
      if (isFull(counts)) {
        counts.beyond++;
        break;
      }
      yield count(observation, counts);
    }
  }
}

function count(observation: Observation, counts: ExportCounts): Observation {
  counts.events++;
  counts.hasTime ||= observation.capturedAtMs !== undefined;
  return observation;
}

interface FoundItem {
  item: unknown;
  /** Reads the sender, once for all items of a scope. */
  origin: () => Origin;
}

function* walkItems(request: JsonObject, { resources, scopes, items }: Signal): Generator<FoundItem> {
  for (const resource of toList(request[resources])) {
    const service = once(() => readService(fieldOf(resource, 'resource')));
    for (const scope of toList(fieldOf(resource, scopes))) {
      const origin = once(() => readOrigin(service(), fieldOf(scope, 'scope')));
      for (const item of toList(fieldOf(scope, items))) yield { item, origin };
    }
  }
}

function once<T>(read: () => T): () => T {
  let known: { value: T } | null = null;
  return () => (known ??= { value: read() }).value;
}

/** Returns null for an item that is none. */
function openItem(raw: unknown, { item }: Signal): JsonObject | null {
  if (!Buffer.isBuffer(raw)) return isObject(raw) ? raw : null;
  try {
    return decodeMessage(raw, item, MAX_ITEM_VALUES);
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}
