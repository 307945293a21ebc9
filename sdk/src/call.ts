import { CARRY_TIME_AFTER_MS } from './limits.ts';
import type { IngestResult } from './types.ts';

/** What was accepted from the application and is not settled yet. Its content was copied: JSON is all that waits. */
export interface Call {
  kind: 'event' | 'server_error' | 'deploy';
  /** Rises by one with each call. */
  sequence: number;
  /** Of what it is, for the console: see `subjectOf`. */
  name: string;
  /** The body, without the time. */
  json: string;
  bytes: number;
  /** Monotonic: for the deadline. */
  calledAtMs: number;
  /** Wall clock: the event's own time, else that of the call. */
  capturedAtMs: number;
  timePolicy: 'always' | 'when_late' | 'never';
  /** The calls between two flushes have the same one. */
  epoch: number;
  resolve: (result: IngestResult | null) => void;
}

const VERBS = { event: 'capture', server_error: 'captureError', deploy: 'deploy' } as const;

/** A call as the console names it, such as `capture "checkout"`. Made when one is lost: waiting calls keep none. */
export function subjectOf({ kind, name }: Pick<Call, 'kind' | 'name'>): string {
  return `${VERBS[kind]} "${name}"`;
}

/** The body as it leaves at `nowMs` (monotonic). */
export function bodyOf(call: Call, nowMs: number): string {
  if (!carriesTime(call, nowMs)) return call.json;
  const time = new Date(call.capturedAtMs).toISOString();
  return `${call.json.slice(0, -1)},"${call.kind === 'deploy' ? 'at' : 'capturedAt'}":"${time}"}`;
}

/** The server takes the time of receipt, which is right unless the event waited, or says otherwise itself. */
export function carriesTime(call: Call, nowMs: number): boolean {
  if (call.timePolicy === 'when_late') return nowMs - call.calledAtMs > CARRY_TIME_AFTER_MS;
  return call.timePolicy === 'always';
}
