import { CARRY_TIME_AFTER_MS } from './limits.ts';
import type { IngestResult } from './types.ts';

/** What was accepted from the application and is not settled yet. Its content was copied: JSON is all that waits. */
export interface Call {
  kind: 'event' | 'server_error' | 'deploy';
  /** Rises by one with each call. */
  sequence: number;
  /** For the console, such as `capture "checkout"`. */
  subject: string;
  /** The body, without the time. */
  json: string;
  bytes: number;
  /** Monotonic: for the deadline. */
  calledAtMs: number;
  /** Wall clock: the event's own time, else that of the call. */
  capturedAtMs: number;
  timePolicy: 'always' | 'when_late' | 'never';
  resolve: (result: IngestResult | null) => void;
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
