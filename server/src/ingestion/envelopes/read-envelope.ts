import { ApiError } from '../../platform/errors.ts';
import { BYTE } from '../../platform/json/json-bytes.ts';
import { isObject, type JsonObject } from '../../platform/json/json-object.ts';
import { parseStorableJson } from '../event/storable-json.ts';
import { toCount } from './json-values.ts';

/** Maximum items of an envelope; clients send a few. */
const MAX_ITEMS = 100;

export interface EnvelopeItem {
  type: string;
  headers: JsonObject;
  bytes: Buffer;
}

export interface Envelope {
  headers: JsonObject;
  items: EnvelopeItem[];
}

/**
 * Reads an envelope: a line of headers, then items, each a line of headers and a payload, which is as many bytes as
 * its `length` says, or ends with its line.
 * @throws ApiError `bad_request`, `body_too_large` or `malformed_json`
 */
export function readEnvelope(bytes: Buffer): Envelope {
  const headerEnd = endOfLine(bytes, 0);
  const headers = readEnvelopeHeaders(bytes);
  const items: EnvelopeItem[] = [];
  for (let at = skipBlank(bytes, headerEnd); at < bytes.length; at = skipBlank(bytes, at)) {
    if (items.length === MAX_ITEMS)
      throw new ApiError('body_too_large', `The envelope has more than ${MAX_ITEMS} items.`);
    const lineEnd = endOfLine(bytes, at);
    const itemHeaders = readHeaders(bytes.subarray(at, lineEnd), 'An item of the envelope');
    const start = Math.min(lineEnd + 1, bytes.length);
    const length = toCount(itemHeaders.length);
    const end = length === null ? endOfLine(bytes, start) : start + length;
    if (end > bytes.length)
      throw new ApiError('bad_request', 'An item of the envelope is longer than the envelope.');
    const { type } = itemHeaders;
    if (typeof type !== 'string') throw new ApiError('bad_request', 'An item of the envelope has no type.');
    items.push({ type, headers: itemHeaders, bytes: bytes.subarray(start, end) });
    at = end;
  }
  return { headers, items };
}

/** Reads the headers of an envelope, whose items may be incomplete. @throws ApiError `bad_request` or `malformed_json` */
export function readEnvelopeHeaders(bytes: Buffer): JsonObject {
  return readHeaders(bytes.subarray(0, endOfLine(bytes, 0)), 'The envelope');
}

function readHeaders(line: Buffer, owner: string): JsonObject {
  const { value } = parseStorableJson(line);
  if (!isObject(value)) throw new ApiError('bad_request', `${owner} does not begin with its headers.`);
  return value;
}

function endOfLine(bytes: Buffer, from: number): number {
  const lineFeed = bytes.indexOf(BYTE.lineFeed, from);
  return lineFeed === -1 ? bytes.length : lineFeed;
}

function skipBlank(bytes: Buffer, from: number): number {
  let at = from;
  while (bytes[at] === BYTE.lineFeed || bytes[at] === BYTE.carriageReturn) at++;
  return at;
}
