import { CARRY_TIME_AFTER_MS } from './clean/limits.ts';
import type { StoredBody } from './stored-bodies.ts';
import type { IngestResult } from './types.ts';

/**
 * What was accepted from the application. Its content was copied: the body that waits is JSON, without the time. A hundred
 * thousand of these may wait, so they are kept small.
 */
export interface Call extends StoredBody {
  kind: 'event' | 'server_error' | 'deploy';
  /** Rises by one with each call. */
  sequence: number;
  /** Of what it is, for the console: see `subjectOf`. */
  name: string;
  /** Monotonic, in whole milliseconds: for the deadline. */
  calledAtMs: number;
  /** Wall clock: the event's own time, else that of the call. */
  capturedAtMs: number;
  timePolicy: 'always' | 'when_late' | 'never';
  /** The calls between two flushes have the same one. */
  epoch: number;
  /** Null: the call is settled. */
  resolve: ((result: IngestResult | null) => void) | null;
}

const VERBS = { event: 'capture', server_error: 'captureError', deploy: 'deploy' } as const;

/** A call as the console names it, such as `capture "checkout"`. Made when one is lost: waiting calls keep none. */
export function subjectOf({ kind, name }: Pick<Call, 'kind' | 'name'>): string {
  return `${VERBS[kind]} "${name}"`;
}

/** The bodies of calls as they leave at `nowMs` (monotonic), a line each. */
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
    // In place of the closing brace. All of it is ASCII.
    if (time !== '') end--;
    for (let at = 0; at < time.length; at++) body[end++] = time.charCodeAt(at);
  }
  return body.subarray(0, end);
}

const LINE_FEED = 10;

function timeOf({ kind, capturedAtMs }: Call): string {
  return `,"${kind === 'deploy' ? 'at' : 'capturedAt'}":"${new Date(capturedAtMs).toISOString()}"}`;
}

/** The server takes the time of receipt, which is right unless the event waited, or says otherwise itself. */
export function carriesTime(call: Call, nowMs: number): boolean {
  if (call.timePolicy === 'when_late') return nowMs - call.calledAtMs > CARRY_TIME_AFTER_MS;
  return call.timePolicy === 'always';
}
