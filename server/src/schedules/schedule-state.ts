import type { CheckInStatus } from './schema.ts';
import { dueAfterCheckIn, nextDue, type Timetable, UNKNOWN_DUE } from './timetable.ts';

/** Expectations of a schedule. */
export interface Expectation extends Timetable {
  graceSeconds: number;
  /** Maximum duration of a run that reported its start; null: until the next one is missed. */
  maxRuntimeSeconds: number | null;
  /** Number of consecutive failures that open an incident. */
  failureAfter: number;
  /** Number of consecutive successes that resolve it. */
  recoverAfter: number;
}

/** State of a schedule's runs. */
export interface RunState {
  /** When the next check-in is expected. */
  dueAt: Date;
  /** Start of a run that has not ended. */
  startedAt: Date | null;
  lastCheckInAt: Date | null;
  lastStatus: CheckInStatus | null;
  lastDurationMs: number | null;
  /** Number of consecutive failures up to now. */
  failures: number;
  successes: number;
}

/** Outcome that a job reported, or that the service found. */
export interface CheckInRecord {
  status: CheckInStatus;
  atMs: number;
  /** When it was expected; null: not at a certain time. */
  dueMs: number | null;
  durationMs: number | null;
}

/** Outcomes that jobs report. */
export type ReportedStatus = 'in_progress' | 'ok' | 'error';

interface Step {
  state: RunState;
  records: CheckInRecord[];
}

/** Maximum missed times that are recorded one by one: after that the next expected time is the one after now. */
const MAX_MISSED_AT_ONCE = 10;

/** Applies a job's report of its start, its success or its failure. */
export function checkIn(
  expectation: Expectation,
  state: RunState,
  status: ReportedStatus,
  atMs: number,
): Step {
  const at = new Date(atMs);
  // The end of a run says nothing about the next start, however close that is.
  const endsRun = state.startedAt !== null && status !== 'in_progress';
  const dueAt = endsRun ? state.dueAt : new Date(dueAfterCheckIn(expectation, atMs));
  const durationMs = endsRun && state.startedAt ? Math.max(0, atMs - state.startedAt.getTime()) : null;
  const isDueKnown = !endsRun && state.dueAt < UNKNOWN_DUE;
  const record = { status, atMs, dueMs: isDueKnown ? state.dueAt.getTime() : null, durationMs };
  const seen = { ...state, dueAt, lastCheckInAt: at, lastStatus: status };
  if (status === 'in_progress') return { state: { ...seen, startedAt: at }, records: [record] };
  const ended = { ...seen, startedAt: null, lastDurationMs: durationMs ?? state.lastDurationMs };
  return { state: count(ended, status), records: [record] };
}

/**
 * Finds what has not happened by now: runs that have not ended, and check-ins that have not come.
 * @param couldCheckIn tells if check-ins were accepted all the time between two instants; otherwise a missing one
 * says nothing about the job
 */
export function review(
  expectation: Expectation,
  state: RunState,
  nowMs: number,
  couldCheckIn: (fromMs: number, toMs: number) => boolean,
): Step {
  const graceMs = expectation.graceSeconds * 1000;
  const records: CheckInRecord[] = [];
  let next = state;
  const add = (status: CheckInStatus, dueMs: number | null) => {
    records.push({ status, atMs: nowMs, dueMs, durationMs: null });
    next = count({ ...next, startedAt: null, lastStatus: status }, status);
  };
  const endMs = latestEnd(expectation, state);
  if (endMs !== null && endMs <= nowMs) {
    const startMs = state.startedAt?.getTime() ?? endMs;
    add(couldCheckIn(startMs, endMs) ? 'timed_out' : 'unknown', null);
  }
  for (let missed = 1; next.dueAt.getTime() + graceMs <= nowMs; missed++) {
    const dueMs = next.dueAt.getTime();
    const known = couldCheckIn(dueMs, dueMs + graceMs);
    add(known ? (next.startedAt ? 'timed_out' : 'missed') : 'unknown', dueMs);
    const afterMs = missed < MAX_MISSED_AT_ONCE ? dueMs : nowMs - graceMs;
    next = { ...next, dueAt: new Date(nextDue(expectation, Math.max(afterMs, dueMs))) };
  }
  return { state: next, records };
}

/**
 * When the schedule must be reviewed again without a check-in.
 * @returns milliseconds
 */
export function reviewTime(expectation: Expectation, state: RunState): number {
  const dueMs = state.dueAt.getTime() + expectation.graceSeconds * 1000;
  return Math.min(dueMs, latestEnd(expectation, state) ?? dueMs);
}

/** Effect of the runs on the incident of a schedule. */
export function incidentChange(
  { failureAfter, recoverAfter }: Expectation,
  { failures, successes }: RunState,
  hasIncident: boolean,
): 'open' | 'resolve' | 'none' {
  if (hasIncident) return successes >= recoverAfter ? 'resolve' : 'none';
  return failures >= failureAfter ? 'open' : 'none';
}

function latestEnd({ maxRuntimeSeconds }: Expectation, { startedAt }: RunState): number | null {
  return startedAt && maxRuntimeSeconds !== null ? startedAt.getTime() + maxRuntimeSeconds * 1000 : null;
}

function count(state: RunState, status: CheckInStatus): RunState {
  if (status === 'ok') return { ...state, failures: 0, successes: state.successes + 1 };
  if (status === 'in_progress' || status === 'unknown') return state;
  return { ...state, failures: state.failures + 1, successes: 0 };
}
