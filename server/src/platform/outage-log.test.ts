import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLog } from './log.ts';
import { logBackgroundFailure, OutageLog } from './outage-log.ts';

describe('the log of an outage', () => {
  let lines: { cause: string; requests: number; level: string }[];
  let outages: OutageLog;
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

  beforeEach(() => {
    vi.useFakeTimers();
    lines = [];
    const log = createLog('info', {
      write: (line) => void lines.push(JSON.parse(line) as (typeof lines)[0]),
    });
    outages = new OutageLog(log, 'requests failed');
  });
  afterEach(() => void vi.useRealTimers());

  it('logs one line a second for each cause of an outage, with the number of requests and no stack', () => {
    for (let second = 0; second < 10; second++) {
      for (let request = 0; request < 1_000; request++) {
        outages.add('The event could not be written.', refused);
        outages.add('The API key cannot be checked now.', refused);
      }
      vi.advanceTimersByTime(1_000);
    }
    expect(lines).toHaveLength(2 * 11);
    expect(lines.reduce((sum, { requests }) => sum + requests, 0)).toBe(20_000);
    expect(lines[0]).toMatchObject({
      level: 'error',
      requests: 1,
      cause: 'The event could not be written. connect ECONNREFUSED (ECONNREFUSED)',
    });
    expect(JSON.stringify(lines)).not.toContain('stack');
  });

  it('logs the beginning of each outage at once', () => {
    outages.add('no answer', refused);
    expect(lines).toHaveLength(1);
    vi.advanceTimersByTime(5_000);
    expect(lines).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
    outages.add('no answer', refused);
    expect(lines).toHaveLength(2);
  });

  it('stays bounded where each failure has a cause of its own', () => {
    for (let request = 0; request < 10_000; request++)
      outages.add(`cause ${request}`, new Error('x'.repeat(10_000)));
    vi.advanceTimersByTime(1_000);
    expect(lines.length).toBeLessThan(40);
    expect(lines.reduce((sum, { requests }) => sum + requests, 0)).toBe(10_000);
    expect(Math.max(...lines.slice(0, 40).map(({ cause }) => cause.length))).toBeLessThanOrEqual(300);
  });
});

describe('the log of background work in an outage', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

  it('counts the failures of all parts in one line a minute for each cause, after the first with its stack', () => {
    const lines: Record<string, unknown>[] = [];
    const log = createLog('info', {
      write: (line) => void lines.push(JSON.parse(line) as (typeof lines)[0]),
    });
    for (let second = 0; second < 600; second++) {
      for (const part of ['risk', 'processing', 'listening']) logBackgroundFailure(log, part, refused);
      vi.advanceTimersByTime(1_000);
    }
    expect(lines).toHaveLength(10);
    expect(JSON.stringify(lines[0])).toContain('stack');
    expect(lines[1]).toMatchObject({
      cause: 'connect ECONNREFUSED (ECONNREFUSED)',
      failures: 180,
      parts: ['listening', 'processing', 'risk'],
    });
    vi.advanceTimersByTime(61_000);
    logBackgroundFailure(log, 'risk', refused);
    expect(JSON.stringify(lines.at(-1))).toContain('stack');
  });
});
