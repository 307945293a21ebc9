import { CARRY_TIME_AFTER_MS } from './clean/limits.ts';
import type { StoredBody } from './stored-bodies.ts';
import type { IngestResult } from './types.ts';

/**
 * A call accepted from the application. Its content was copied: the waiting body is JSON, without the time. A hundred
 * thousand calls may wait, so they are kept small.
 */
export interface Call extends StoredBody {
  kind: 'event' | 'server_error' | 'deploy';
  /** Number of the call, one more than that of the previous one. */
  sequence: number;
  /** Name of its event, error or deploy, for the console: see `subjectOf`. */
  name: string;
  /** Monotonic time of the call in whole milliseconds, for the deadline. */
  calledAtMs: number;
  /** Wall clock time of the event, or else of the call. */
  capturedAtMs: number;
  timePolicy: 'always' | 'when_late' | 'never';
  /** Epoch, the same for all calls between two flushes. */
  epoch: number;
  /** Resolves the call's promise; null once the call is settled. */
  resolve: ((result: IngestResult | null) => void) | null;
}

const VERBS = { event: 'capture', server_error: 'captureError', deploy: 'deploy' } as const;

/** Names a call for the console, such as `capture "checkout"`. Called for lost calls only: waiting ones keep no text. */
export function subjectOf({ kind, name }: Pick<Call, 'kind' | 'name'>): string {
  return `${VERBS[kind]} "${name}"`;
}

/** Returns the bodies of calls that are sent at `nowMs` (monotonic), a line each. */
export function bodyOf(calls: readonly Call[], nowMs: number): Uint8Array<ArrayBuffer> {
  const times = calls.map((call) => (carriesTime(call, nowMs) ? timeOf(call) : ''));
  const length = calls.reduce((sum, { bytes }, index) => sum + bytes + 1 + (times[index] ?? '').length, 0);
  const body = new Uint8Array(length);
  let end = 0;
  for (const [index, { chunk, start, bytes }] of calls.entries()) {
    if (end > 0) body[end++] = LINE_FEED;
    body.set(chunk.subarray(start, start + bytes), end);
    end += bytes;
    const time = times[index] ?? '';
    // The time replaces the closing brace. All of it is ASCII.
    if (time !== '') end--;
    for (let at = 0; at < time.length; at++) body[end++] = time.charCodeAt(at);
  }
  return body.subarray(0, end);
}

const LINE_FEED = 10;

function timeOf({ kind, capturedAtMs }: Call): string {
  return `,"${kind === 'deploy' ? 'at' : 'capturedAt'}":"${new Date(capturedAtMs).toISOString()}"}`;
}

/** Returns true if the call must carry its time: the server's time of receipt is wrong if it waited, or has its own time. */
export function carriesTime(call: Call, nowMs: number): boolean {
  if (call.timePolicy === 'when_late') return nowMs - call.calledAtMs > CARRY_TIME_AFTER_MS;
  return call.timePolicy === 'always';
}
