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

/** Run that has started and not ended. */
interface Run {
  /** UUID that the job gave it; null: none. */
  id: string | null;
  startMs: number;
}

/** State of a schedule's runs. */
export interface RunState {
  /** When the next check-in is expected. */
  dueAt: Date;
  /** Runs that have not ended, in the order of their starts. */
  runs: Run[];
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
  /** UUID that the job gave its run; null: none. */
  runId: string | null;
  /** End of the output that the job sent; null: none. */
  body: string | null;
}

/** Outcomes that jobs report, and output without one. */
export type ReportedStatus = 'in_progress' | 'ok' | 'error' | 'log';

/** A job's report, with what it says about the run. */
export interface Report {
  status: ReportedStatus;
  /** UUID of the run; null: the job names none. */
  runId: string | null;
  body: string | null;
}

interface Step {
  state: RunState;
  records: CheckInRecord[];
}

/** Maximum missed times that are recorded one by one: after that the next expected time is the one after now. */
const MAX_MISSED_AT_ONCE = 10;
/** Maximum runs that go on at once: the oldest of more are forgotten. */
const MAX_RUNS = 20;

/** Applies a job's report of its start, its success or its failure. Output alone changes nothing. */
export function checkIn(
  expectation: Expectation,
  state: RunState,
  { status, ...named }: Report,
  atMs: number,
): Step {
  if (status === 'log')
    return { state, records: [{ status, atMs, dueMs: null, durationMs: null, ...named }] };
  const startsRun = status === 'in_progress';
  const same = state.runs.find(({ id }) => id === named.runId);
  // An end without an id ends the oldest run, where none began without one.
  const run = same ?? (named.runId === null && !startsRun ? state.runs[0] : undefined);
  const others = state.runs.filter((other) => other !== run);
  // The end of a run says nothing about the next start, however close that is.
  const ended = (!startsRun && run) || null;
  const dueAt = ended ? state.dueAt : new Date(dueAfterCheckIn(expectation, atMs));
  const durationMs = ended && Math.max(0, atMs - ended.startMs);
  const isDueKnown = !ended && state.dueAt < UNKNOWN_DUE;
  const record = { status, atMs, dueMs: isDueKnown ? state.dueAt.getTime() : null, durationMs, ...named };
  const runs = startsRun ? [...others, { id: named.runId, startMs: atMs }].slice(-MAX_RUNS) : others;
  const lastDurationMs = durationMs ?? state.lastDurationMs;
  const next = { ...state, dueAt, runs, lastCheckInAt: new Date(atMs), lastStatus: status, lastDurationMs };
  return { state: count(next, status), records: [record] };
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
  /** @param ended the run that did not end; null: all, since the next one is missed */
  const add = (status: CheckInStatus, dueMs: number | null, ended: Run | null) => {
    const runId = ended?.id ?? null;
    records.push({ status, atMs: nowMs, dueMs, durationMs: null, runId, body: null });
    const runs = ended ? next.runs.filter((run) => run !== ended) : [];
    next = count({ ...next, runs, lastStatus: status }, status);
  };
  for (const run of state.runs) {
    const endMs = latestEnd(expectation, run);
    if (endMs === null || endMs > nowMs) continue;
    add(couldCheckIn(run.startMs, endMs) ? 'timed_out' : 'unknown', null, run);
  }
  for (let missed = 1; next.dueAt.getTime() + graceMs <= nowMs; missed++) {
    const dueMs = next.dueAt.getTime();
    const known = couldCheckIn(dueMs, dueMs + graceMs);
    add(known ? (next.runs.length > 0 ? 'timed_out' : 'missed') : 'unknown', dueMs, null);
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
  return state.runs.reduce((next, run) => Math.min(next, latestEnd(expectation, run) ?? next), dueMs);
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

function latestEnd({ maxRuntimeSeconds }: Expectation, { startMs }: Run): number | null {
  return maxRuntimeSeconds === null ? null : startMs + maxRuntimeSeconds * 1000;
}

function count(state: RunState, status: CheckInStatus): RunState {
  if (status === 'ok') return { ...state, failures: 0, successes: state.successes + 1 };
  if (status === 'in_progress' || status === 'unknown') return state;
  return { ...state, failures: state.failures + 1, successes: 0 };
}
