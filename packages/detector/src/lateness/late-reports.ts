import { HOUR_MS, MINUTE_MS } from '../state/durations.ts';

/** Pause of the late events of a source after which they are reported, maximum wait for it, and time between reports. */
const PAUSE_MS = MINUTE_MS;
const MAX_WAIT_MS = 10 * MINUTE_MS;
const REPORT_EVERY_MS = HOUR_MS;

/** Late events that are not evaluated, and the range of their capture. */
export interface LateEvents {
  events: number;
  fromMs: number;
  toMs: number;
}

/** Report of late events. `source` undefined: they are of several sources. */
export interface LateReport extends LateEvents {
  source?: string | null;
}

interface Unreported extends LateEvents {
  /** Receipt of the first and the last events of the report. */
  sinceMs: number;
  lastMs: number;
}

/** State of the reports of a source; plain JSON. */
export interface Reports {
  unreported: Unreported | null;
  reportedMs: number;
}

/** Adds late events to the next report. */
export function addUnreported(reports: Reports, { events, fromMs, toMs, sinceMs, lastMs }: Unreported): void {
  const { unreported } = reports;
  reports.unreported = {
    events: events + (unreported?.events ?? 0),
    fromMs: Math.min(fromMs, unreported?.fromMs ?? fromMs),
    toMs: Math.max(toMs, unreported?.toMs ?? toMs),
    sinceMs: Math.min(sinceMs, unreported?.sinceMs ?? sinceMs),
    lastMs: Math.max(lastMs, unreported?.lastMs ?? lastMs),
  };
}

/** Takes the report that is due at a time; null where none is. */
export function takeReport(reports: Reports, nowMs: number): LateEvents | null {
  const { unreported, reportedMs } = reports;
  if (!unreported || nowMs - reportedMs < REPORT_EVERY_MS) return null;
  if (nowMs - unreported.lastMs < PAUSE_MS && nowMs - unreported.sinceMs < MAX_WAIT_MS) return null;
  reports.unreported = null;
  reports.reportedMs = nowMs;
  const { events, fromMs, toMs } = unreported;
  return { events, fromMs, toMs };
}
