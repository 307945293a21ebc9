import type { IncomingHttpHeaders } from 'node:http';
import { ApiError } from '../../platform/errors.ts';
import { hasMoreValues } from '../../platform/json/json-bytes.ts';
import { isObject, type JsonObject } from '../../platform/json/json-object.ts';
import { toStorableJson } from '../event/storable-json.ts';
import { readHeaderText } from './header-text.ts';

/** Maximum events and JSON values of a request. */
const MAX_EVENTS = 10_000;
const MAX_VALUES = 250_000;

const BATCH = /^application\/cloudevents-batch\+json\s*(;|$)/i;
const STRUCTURED = /^application\/cloudevents\+json\s*(;|$)/i;
const JSON_TYPE = /^(application|text)\/([^;\s]+\+)?json\s*(;|$)/i;
const TEXT_TYPE = /^text\//i;
const PREFIX = 'ce-';

/** A CloudEvent in the form of its JSON: attributes, and `data` or `data_base64`. */
export interface CloudEvent {
  attributes: JsonObject;
  /** True if a part was corrected that cannot be stored. */
  isChanged: boolean;
}

/**
 * Reads the events of a request in one of the three modes of CloudEvents over HTTP. The content type of a batch comes
 * first, since some senders of it add headers of the binary mode. The data of an event are decoded when it is its turn.
 * @throws ApiError `malformed_json`, `validation_failed`
 */
export function* readCloudEvents(headers: IncomingHttpHeaders, body: Buffer): Generator<CloudEvent> {
  const contentType = headers['content-type'] ?? '';
  if (BATCH.test(contentType)) {
    const list = parse(body);
    if (!Array.isArray(list)) throw new ApiError('validation_failed', 'A batch must be a JSON array.');
    if (list.length > MAX_EVENTS)
      throw new ApiError('validation_failed', `A batch may have at most ${MAX_EVENTS} events.`);
    for (const each of list) yield readEvent(each);
    return;
  }
  if (STRUCTURED.test(contentType)) {
    yield readEvent(parse(body));
    return;
  }
  const attributes = readHeaders(headers);
  if (attributes['specversion'] === undefined)
    throw new ApiError(
      'validation_failed',
      'The request is no CloudEvent: its content type is neither application/cloudevents+json nor that of a batch, and it has no ce-specversion.',
    );
  if (contentType !== '') attributes['datacontenttype'] = contentType;
  yield readEvent({ ...attributes, ...dataOf(body, contentType) });
}

function readHeaders(headers: IncomingHttpHeaders): JsonObject {
  const pairs = Object.entries(headers).filter(([name]) => name.startsWith(PREFIX));
  return Object.fromEntries(
    pairs.map(([name, value]) => [name.slice(PREFIX.length), readHeaderText(String(value))]),
  );
}

function dataOf(body: Buffer, contentType: string): JsonObject {
  if (body.length === 0) return {};
  if (JSON_TYPE.test(contentType)) return { data: parse(body) };
  return TEXT_TYPE.test(contentType)
    ? { data: body.toString('utf8') }
    : { data_base64: body.toString('base64') };
}

function readEvent(value: unknown): CloudEvent {
  const { value: attributes, isChanged } = toStorableJson(value);
  if (!isObject(attributes)) throw new ApiError('validation_failed', 'A CloudEvent must be an object.');
  const { data_base64: encoded, datacontenttype: type = 'application/json' } = attributes;
  if (typeof encoded !== 'string' || typeof type !== 'string' || !JSON_TYPE.test(type))
    return { attributes, isChanged };
  // JSON that a sender took for bytes.
  const decoded = toStorableJson(parse(Buffer.from(encoded, 'base64')));
  const { data_base64: _, ...rest } = attributes;
  return {
    attributes: { ...rest, data: decoded.value },
    isChanged: isChanged || decoded.isChanged,
  };
}

function parse(bytes: Buffer): unknown {
  if (hasMoreValues(bytes, MAX_VALUES))
    throw new ApiError('validation_failed', `The body has more than ${MAX_VALUES} values.`);
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new ApiError('malformed_json', 'The body, or the data of an event, cannot be parsed as JSON.');
  }
}
