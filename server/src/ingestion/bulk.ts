import { isUtf8 } from 'node:buffer';
import type { Static } from 'typebox';
import { ApiError, toProblem } from '../platform/errors.ts';
import { toApiError } from '../platform/http/error-handling.ts';
import { toId } from '../platform/ids.ts';
import { assertStorable, decodeUtf8, parseStrictJsonText } from '../platform/strict-json.ts';
import type { QueuedEvent } from '../queue/queue.ts';
import { readCustomEvent } from './custom-event.ts';
import { type BulkResult, MAX_EVENT_BYTES } from './schema.ts';
import { toQueuedEvent } from './to-event.ts';

export const MAX_BULK_BYTES = 10 * 1024 * 1024;
const MAX_BULK_LINES = 10_000;

const LINE_FEED = 0x0a;

/** A line of a bulk body that was not looked at yet: reading it throws where it is bad. */
type Line = () => unknown;

/** The lines of an NDJSON body; empty ones do not count. */
export function splitLines(body: Buffer): Line[] {
  // As one text where that is possible: decoding line by line takes longer.
  return isUtf8(body)
    ? decodeUtf8(body)
        .split('\n')
        .filter((line) => line.trim() !== '')
        .map((line) => () => readLine(line))
    : splitBytes(body).map((line) => () => readLine(decodeUtf8(line)));
}

/** The lines of a body in which some are not UTF-8. */
function splitBytes(body: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let start = 0; start < body.length; ) {
    const end = body.indexOf(LINE_FEED, start);
    const line = body.subarray(start, end < 0 ? body.length : end);
    if (line.toString('latin1').trim() !== '') lines.push(line);
    start += line.length + 1;
  }
  return lines;
}

function readLine(line: string): unknown {
  assertEventSize(line);
  return parseStrictJsonText(line);
}

/** The elements of a body that is a JSON array: one bad element does not spoil the others. */
export function splitArray(body: Buffer): Line[] {
  let values: unknown;
  try {
    values = JSON.parse(decodeUtf8(body));
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new ApiError('malformed_json', 'The body cannot be parsed as JSON.');
  }
  if (!Array.isArray(values)) throw new ApiError('validation_failed', 'The body must be an array of events.');
  return values.map((value: unknown) => () => {
    assertStorable(value);
    assertEventSize(JSON.stringify(value));
    return value;
  });
}

/**
 * Reads each line as a custom event. A bad line gets its problem and takes none of the others with it.
 * @returns one result a line, in order, and the events of the good ones
 * @throws ApiError `validation_failed` for no line at all or more than 10,000
 */
export function readBulk(
  lines: Line[],
  projectId: string,
  receivedAtMs: number,
  requestId: string,
): { results: Static<typeof BulkResult>[]; events: QueuedEvent[] } {
  if (lines.length === 0 || lines.length > MAX_BULK_LINES) {
    const message = lines.length === 0 ? 'holds no event' : `holds more than ${MAX_BULK_LINES} events`;
    throw new ApiError('validation_failed', `The body ${message}.`, { fields: [{ pointer: '', message }] });
  }
  const events: QueuedEvent[] = [];
  const results = lines.map((line): Static<typeof BulkResult> => {
    try {
      const event = toQueuedEvent(projectId, readCustomEvent(line(), receivedAtMs), receivedAtMs);
      events.push(event);
      return { jobId: toId('job', event.id), status: 'queued' };
    } catch (error) {
      return { error: { ...toProblem(toApiError(error), requestId) } };
    }
  });
  return { results, events };
}

function assertEventSize(text: string): void {
  if (text.length > MAX_EVENT_BYTES || Buffer.byteLength(text) > MAX_EVENT_BYTES) {
    throw new ApiError('body_too_large', 'An event is larger than 1 MiB.');
  }
}
