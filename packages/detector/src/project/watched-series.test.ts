import { START_MS } from '@tocsin/simulation/start';
import { describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from '../types.ts';
import type { CountDelta } from './count-delta.ts';
import { ProjectDetector } from './project-detector.ts';

const MINUTE_MS = 60_000;

/** A day of a project with 40 requests a minute, an error in every hour and a job in every five minutes. */
function aDay(): ProjectDetector {
  const detector = new ProjectDetector(START_MS, DEFAULT_SETTINGS);
  for (let minute = 0; minute < 1_500; minute++) {
    const atMs = START_MS + minute * MINUTE_MS;
    const count = (type: string, severity: CountDelta['severity'], events: number) =>
      detector.count({ type, severity, source: 'web', bucketMs: atMs, count: events, lastMs: atMs });
    count('request', 'info', 40 + (minute % 7));
    if (minute % 60 === 13) count('request', 'error', 1);
    if (minute % 5 === 0) count('job', 'info', 1);
    detector.endStepsBefore(atMs + MINUTE_MS, true);
  }
  return detector;
}

describe('The list of a project’s series', () => {
  const series = aDay().describeSeries();
  const named = (type: string | null, severity: string | null) =>
    series.find((one) => one.series.type === type && one.series.severity === severity);

  it('lists each series and sum once, with its rate and its last event', () => {
    expect(series.map((one) => one.series.kind)).toEqual(['total', 'events', 'events', 'events', 'errors']);
    expect(named('request', 'info')?.perMinute).toBeCloseTo(43, 0);
    expect(named('request', 'info')?.lastEventMs).toBe(START_MS + 1_499 * MINUTE_MS);
    expect(named('request', 'error')?.lastEventMs).toBe(START_MS + 1_453 * MINUTE_MS);
    expect(series.find((one) => one.series.kind === 'errors')?.lastEventMs).toBe(
      START_MS + 1_453 * MINUTE_MS,
    );
  });

  it('says which counts of each window would open an incident', () => {
    const [minute] = named('request', 'info')?.opening ?? [];
    expect(minute?.windowMinutes).toBe(1);
    expect(minute?.rise).toBeGreaterThan(60);
    expect(minute?.drop).toBeLessThan(35);
  });

  it('says that fewer errors open nothing', () => {
    const opening = named('request', 'error')?.opening ?? [];
    expect(opening.length).toBe(4);
    expect(opening.every(({ drop }) => drop === null)).toBe(true);
  });

  it('says when the next event of a regular sender is overdue', () => {
    const heartbeat = named('job', 'info')?.heartbeat;
    expect(heartbeat?.usualMinutes).toBeCloseTo(5, 1);
    expect(heartbeat?.dueMs).toBeGreaterThan(START_MS + 1_500 * MINUTE_MS);
    expect(heartbeat?.dueMs).toBeLessThan(START_MS + 1_515 * MINUTE_MS);
    expect(named('request', 'info')?.heartbeat).toBeNull();
  });
});
