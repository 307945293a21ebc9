import { describe, expect, it } from 'vitest';
import {
  checkIn,
  type Expectation,
  incidentChange,
  type ReportedStatus,
  type RunState,
  review,
  reviewTime,
} from './schedule-state.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const START_MS = Date.parse('2026-11-21T00:00:00Z');

const HOURLY: Expectation = {
  cron: '0 * * * *',
  intervalSeconds: null,
  timeZone: 'UTC',
  graceSeconds: 300,
  maxRuntimeSeconds: 1_800,
  failureAfter: 1,
  recoverAfter: 1,
};
const FRESH: RunState = {
  dueAt: new Date(START_MS + HOUR_MS),
  runs: [],
  lastCheckInAt: null,
  lastStatus: null,
  lastDurationMs: null,
  failures: 0,
  successes: 0,
};
const report = (status: ReportedStatus, runId: string | null = null) => ({ status, runId, body: null });
const always = () => true;
const never = () => false;
const statuses = (records: { status: string }[]) => records.map(({ status }) => status);

describe('the state of a schedule', () => {
  it('expects the next time after a success', () => {
    const { state, records } = checkIn(HOURLY, FRESH, report('ok'), START_MS + HOUR_MS + 5_000);
    expect(state).toMatchObject({ failures: 0, successes: 1, lastStatus: 'ok' });
    expect(state.dueAt.getTime()).toBe(START_MS + 2 * HOUR_MS);
    expect(records).toMatchObject([{ status: 'ok', dueMs: START_MS + HOUR_MS, durationMs: null }]);
  });

  it('measures a run from its start to its end, which says nothing about the next start', () => {
    const startMs = START_MS + HOUR_MS;
    const { state: running } = checkIn(HOURLY, FRESH, report('in_progress'), startMs);
    expect(running.runs).toEqual([{ id: null, startMs }]);
    const { state, records } = checkIn(HOURLY, running, report('ok'), startMs + 59.5 * MINUTE_MS);
    expect(records).toMatchObject([{ status: 'ok', durationMs: 59.5 * MINUTE_MS, dueMs: null }]);
    expect(state.runs).toEqual([]);
    expect(state.dueAt.getTime()).toBe(START_MS + 2 * HOUR_MS);
  });

  it('finds a missed check-in once the grace period is over, and not before', () => {
    const deadlineMs = START_MS + HOUR_MS + 5 * MINUTE_MS;
    expect(reviewTime(HOURLY, FRESH)).toBe(deadlineMs);
    expect(review(HOURLY, FRESH, deadlineMs - 1, always).records).toEqual([]);
    const { state, records } = review(HOURLY, FRESH, deadlineMs, always);
    expect(statuses(records)).toEqual(['missed']);
    expect(state).toMatchObject({ failures: 1, successes: 0, lastStatus: 'missed' });
    expect(state.dueAt.getTime()).toBe(START_MS + 2 * HOUR_MS);
  });

  it('says nothing about a job while check-ins could not be accepted', () => {
    const { state, records } = review(HOURLY, FRESH, START_MS + 2 * HOUR_MS, never);
    expect(statuses(records)).toEqual(['unknown']);
    expect(state.failures).toBe(0);
  });

  it('finds a run that does not end in its time', () => {
    const startMs = START_MS + HOUR_MS;
    const { state: running } = checkIn(HOURLY, FRESH, report('in_progress'), startMs);
    expect(reviewTime(HOURLY, running)).toBe(startMs + 30 * MINUTE_MS);
    const { state, records } = review(HOURLY, running, startMs + 30 * MINUTE_MS, always);
    expect(statuses(records)).toEqual(['timed_out']);
    expect(state).toMatchObject({ failures: 1, runs: [] });
  });

  it('measures runs that overlap by their ids, and goes on until each has ended', () => {
    const reports = [
      report('in_progress', 'a'),
      report('in_progress', 'b'),
      report('ok', 'a'),
      report('ok', 'b'),
    ];
    let state = FRESH;
    const steps = reports.map((each, minutes) => {
      const step = checkIn(HOURLY, state, each, START_MS + HOUR_MS + minutes * MINUTE_MS);
      state = step.state;
      return [state.runs.map(({ id }) => id), step.records[0]?.durationMs];
    });
    expect(steps).toEqual([
      [['a'], null],
      [['a', 'b'], null],
      [['b'], 2 * MINUTE_MS],
      [[], 2 * MINUTE_MS],
    ]);
  });

  it('finds the one of two runs that does not end in its time, and expects the other', () => {
    const startMs = START_MS + HOUR_MS;
    const first = checkIn(HOURLY, FRESH, report('in_progress', 'a'), startMs).state;
    const both = checkIn(HOURLY, first, report('in_progress', 'b'), startMs + 10 * MINUTE_MS).state;
    const { state, records } = review(HOURLY, both, startMs + 30 * MINUTE_MS, always);
    expect(records).toMatchObject([{ status: 'timed_out', runId: 'a' }]);
    expect(state.runs).toEqual([{ id: 'b', startMs: startMs + 10 * MINUTE_MS }]);
    expect(reviewTime(HOURLY, state)).toBe(startMs + 40 * MINUTE_MS);
  });

  it('ends the oldest run by an end without an id, and remembers twenty runs', () => {
    const startMs = START_MS + HOUR_MS;
    let state = FRESH;
    for (let run = 0; run < 25; run++)
      state = checkIn(HOURLY, state, report('in_progress', String(run)), startMs + run).state;
    expect(state.runs.map(({ id }) => id)).toEqual(
      Array.from({ length: 20 }, (_, index) => String(index + 5)),
    );
    expect(checkIn(HOURLY, state, report('ok'), startMs + MINUTE_MS).state.runs[0]?.id).toBe('6');
  });

  it('records output without a change of the state', () => {
    const { state, records } = checkIn(HOURLY, FRESH, { status: 'log', runId: null, body: 'half' }, START_MS);
    expect(state).toBe(FRESH);
    expect(records).toMatchObject([{ status: 'log', dueMs: null, body: 'half' }]);
  });

  it('gives a run without a limit until the next one is missed', () => {
    const endless = { ...HOURLY, maxRuntimeSeconds: null };
    const { state: running } = checkIn(endless, FRESH, report('in_progress'), START_MS + HOUR_MS);
    expect(review(endless, running, START_MS + 2 * HOUR_MS, always).records).toEqual([]);
    const { records } = review(endless, running, START_MS + 2 * HOUR_MS + 5 * MINUTE_MS, always);
    expect(statuses(records)).toEqual(['timed_out']);
  });

  it('lists ten missed times at most, and expects the next one after now', () => {
    const { state, records } = review(HOURLY, FRESH, START_MS + 1_000 * HOUR_MS, always);
    expect(records).toHaveLength(10);
    expect(state.dueAt.getTime()).toBe(START_MS + 1_000 * HOUR_MS);
    expect(review(HOURLY, state, START_MS + 1_000 * HOUR_MS, always).records).toEqual([]);
  });

  it('opens after as many failures and resolves after as many successes as it is set to', () => {
    const expectation = { ...HOURLY, failureAfter: 2, recoverAfter: 2 };
    let state = FRESH;
    const changes = (['error', 'error', 'ok', 'error', 'ok', 'ok'] as const).map((status, index) => {
      state = checkIn(expectation, state, report(status), START_MS + index * HOUR_MS).state;
      return incidentChange(expectation, state, index >= 2);
    });
    expect(changes).toEqual(['none', 'open', 'none', 'none', 'none', 'resolve']);
  });
});
