import { isUtf8 } from 'node:buffer';
import { ApiError } from '../../platform/errors.ts';
import { BYTE, endOfText, isClosing, isOpening, skipSpace } from '../../platform/json/json-bytes.ts';

export const MAX_BULK_EVENTS = 10_000;

const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

/** Bytes of one event: from `start` to before `end`. */
export interface Span {
  start: number;
  end: number;
}

/**
 * Finds the lines of an NDJSON body; those of white space alone do not count.
 * @throws ApiError `validation_failed` for no line at all or more than 10,000, none of which was read
 */
export function findLines(body: Buffer): Span[] {
  const lines: Span[] = [];
  let start = startAfterMark(body);
  // Byte by byte over blank lines, since there may be millions of them; by one search over the others.
  for (let at = start; at < body.length; ) {
    if (!isBlank(body[at])) {
      const lineFeed = body.indexOf(BYTE.lineFeed, at);
      at = lineFeed === -1 ? body.length : lineFeed;
      add(lines, { start, end: at });
    }
    if (body[at++] === BYTE.lineFeed) start = at;
  }
  return atLeastOne(lines);
}

/**
 * Finds the elements of a body that is a JSON array. Brackets, commas and texts are tracked; the reader of the
 * elements checks what is between them.
 * @throws ApiError as `findLines`; `malformed_json` if the array does not end, or the body does not end with it
 */
export function findElements(body: Buffer): Span[] {
  if (!isUtf8(body)) throw new ApiError('malformed_json', 'The body is not valid UTF-8.');
  const opening = skipSpace(body, startAfterMark(body));
  if (opening === body.length) throw malformed();
  if (body[opening] !== BYTE.openList)
    throw new ApiError('validation_failed', 'The body must be an array of events.');
  const elements: Span[] = [];
  let start = opening + 1;
  let depth = 0;
  for (let at = start; at < body.length; at++) {
    const byte = body[at];
    if (byte === BYTE.quote) at = endOfText(body, at);
    else if (isOpening(byte)) depth++;
    else if (depth > 0 && isClosing(byte)) depth--;
    else if (depth === 0 && (byte === BYTE.comma || isClosing(byte))) {
      const isEmptyArray = elements.length === 0 && isClosing(byte) && skipSpace(body, start) === at;
      if (!isEmptyArray) add(elements, { start: skipSpace(body, start), end: at });
      start = at + 1;
      if (byte === BYTE.comma) continue;
      if (byte === BYTE.closeList && skipSpace(body, start) === body.length) return atLeastOne(elements);
      break;
    }
  }
  throw malformed();
}

/** Error of a body that as a whole is not JSON. */
export function malformed(): ApiError {
  return new ApiError('malformed_json', 'The body cannot be parsed as JSON.');
}

function add(events: Span[], event: Span): void {
  if (events.length === MAX_BULK_EVENTS) throw refusal(`holds more than ${MAX_BULK_EVENTS} events`);
  events.push(event);
}

function atLeastOne(events: Span[]): Span[] {
  if (events.length === 0) throw refusal('holds no event');
  return events;
}

function refusal(message: string): ApiError {
  return new ApiError('validation_failed', `The body ${message}.`, { fields: [{ pointer: '', message }] });
}

/** True for spaces, tabs, and the ends of lines and pages. */
function isBlank(byte: number | undefined): boolean {
  return byte === BYTE.space || (byte !== undefined && byte >= BYTE.tab && byte <= BYTE.carriageReturn);
}

function startAfterMark(body: Buffer): number {
  const { length } = BYTE_ORDER_MARK;
  return body.subarray(0, length).equals(BYTE_ORDER_MARK) ? length : 0;
}
