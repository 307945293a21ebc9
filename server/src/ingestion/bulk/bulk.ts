import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Static } from 'typebox';
import { toApiError } from '../../http/error-handling.ts';
import { ApiError, toProblem } from '../../platform/errors.ts';
import { toId } from '../../platform/ids.ts';
import { parseStrictJson } from '../../platform/json/strict-json.ts';
import { type BulkResult, MAX_EVENT_BYTES } from '../event/schema.ts';
import { toQueuedEvent } from '../event/to-event.ts';
import type { EventProject } from '../intake/accept.ts';
import { BYTES_A_TURN } from '../intake/limits.ts';
import { readCustomEvent } from '../mappers/custom-event.ts';
import { findElements, findLines, malformed } from './bulk-body.ts';

/**
 * Maximum problems that an answer has in full; further ones have only `status` and `code`, so that a body of a few
 * bytes has no answer of megabytes.
 */
const MAX_FULL_PROBLEMS = 100;

export interface BulkBody {
  format: 'lines' | 'array';
  /** Bytes that are not, or no longer, compressed. */
  bytes: Buffer;
}

export interface BulkReceipt extends EventProject {
  receivedAtMs: number;
  requestId: string;
}

export interface ReadBulk {
  /** One result a line, in order. */
  results: Static<typeof BulkResult>[];
  /** Events of the good lines as JSON texts. */
  events: string[];
  /** Id of the first good line; null: there is none. */
  firstEventId: string | null;
}

/**
 * Reads each line (or element) as a custom event. A bad line gets its problem and affects no other line. They are
 * counted before any is parsed, and no more than one is held as an object.
 * @throws ApiError as `findLines` and `findElements`; `malformed_json` if an element of an array is not JSON, since
 * the body is not JSON then
 */
export async function readBulk(
  { format, bytes }: BulkBody,
  { projectId, scrubSettings, receivedAtMs, requestId }: BulkReceipt,
): Promise<ReadBulk> {
  const read: ReadBulk = { results: [], events: [], firstEventId: null };
  let turnEnds = BYTES_A_TURN;
  let problems = 0;
  for (const { start, end } of format === 'lines' ? findLines(bytes) : findElements(bytes)) {
    try {
      const value = parseEvent(bytes.subarray(start, end));
      const observation = readCustomEvent(value, receivedAtMs);
      const event = toQueuedEvent(projectId, observation, receivedAtMs, scrubSettings);
      read.events.push(JSON.stringify(event));
      read.results.push({ jobId: toId('job', event.id), status: 'queued' });
      read.firstEventId ??= event.id;
    } catch (error) {
      const problem = toApiError(error);
      if (format === 'array' && problem.code === 'malformed_json') throw malformed();
      read.results.push(toResult(problem, requestId, ++problems));
    }
    if (end < turnEnds) continue;
    turnEnds = end + BYTES_A_TURN;
    await nextTurn();
  }
  return read;
}

/** Refuses the good lines from one on, which is counted without the bad ones. */
export function refuseFrom(read: ReadBulk, first: number, refusal: ApiError, requestId: string): ReadBulk {
  let good = 0;
  let problems = 0;
  const results = read.results.map((result) => {
    const isKept = 'jobId' in result && good++ < first;
    if (!isKept) problems++;
    return isKept || 'error' in result ? result : toResult(refusal, requestId, problems);
  });
  return { ...read, results, events: read.events.slice(0, first) };
}

/** @param place number of the problem in its answer, from 1 on */
function toResult(problem: ApiError, requestId: string, place: number): Static<typeof BulkResult> {
  const full = toProblem(problem, requestId);
  const { status, code } = full;
  return { error: place > MAX_FULL_PROBLEMS ? { status, code } : { ...full } };
}

function parseEvent(json: Buffer): unknown {
  if (json.length > MAX_EVENT_BYTES) throw new ApiError('body_too_large', 'An event is larger than 1 MiB.');
  return parseStrictJson(json);
}
