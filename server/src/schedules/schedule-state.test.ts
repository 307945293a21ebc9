import { describe, expect, it } from 'vitest';
import {
  checkIn,
  type Expectation,
  incidentChange,
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
  startedAt: null,
  lastCheckInAt: null,
  lastStatus: null,
  lastDurationMs: null,
  failures: 0,
  successes: 0,
};
const always = () => true;
const never = () => false;
const statuses = (records: { status: string }[]) => records.map(({ status }) => status);

describe('the state of a schedule', () => {
  it('expects the next time after a success', () => {
    const { state, records } = checkIn(HOURLY, FRESH, 'ok', START_MS + HOUR_MS + 5_000);
    expect(state).toMatchObject({ failures: 0, successes: 1, lastStatus: 'ok' });
    expect(state.dueAt.getTime()).toBe(START_MS + 2 * HOUR_MS);
    expect(records).toMatchObject([{ status: 'ok', dueMs: START_MS + HOUR_MS, durationMs: null }]);
  });

  it('measures a run from its start to its end, which says nothing about the next start', () => {
    const startMs = START_MS + HOUR_MS;
    const { state: running } = checkIn(HOURLY, FRESH, 'in_progress', startMs);
    expect(running.startedAt?.getTime()).toBe(startMs);
    const { state, records } = checkIn(HOURLY, running, 'ok', startMs + 59.5 * MINUTE_MS);
    expect(records).toMatchObject([{ status: 'ok', durationMs: 59.5 * MINUTE_MS, dueMs: null }]);
    expect(state.startedAt).toBeNull();
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
    const { state: running } = checkIn(HOURLY, FRESH, 'in_progress', startMs);
    expect(reviewTime(HOURLY, running)).toBe(startMs + 30 * MINUTE_MS);
    const { state, records } = review(HOURLY, running, startMs + 30 * MINUTE_MS, always);
    expect(statuses(records)).toEqual(['timed_out']);
    expect(state).toMatchObject({ failures: 1, startedAt: null });
  });

  it('gives a run without a limit until the next one is missed', () => {
    const endless = { ...HOURLY, maxRuntimeSeconds: null };
    const { state: running } = checkIn(endless, FRESH, 'in_progress', START_MS + HOUR_MS);
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
      state = checkIn(expectation, state, status, START_MS + index * HOUR_MS).state;
      return incidentChange(expectation, state, index >= 2);
    });
    expect(changes).toEqual(['none', 'open', 'none', 'none', 'none', 'resolve']);
  });
});
