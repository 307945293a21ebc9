import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isoTime } from '../../src/platform/time.ts';
import { expectProblem } from '../support/problems.ts';
import { startTestService } from '../support/service.ts';
import { rounds } from '../support/test-length.ts';
import { drawSeed } from '../support/test-seed.ts';
import { SEVERITIES, sendRandomEvents } from './random-events.ts';

type Bucket = { start: string } & Record<(typeof SEVERITIES)[number], number>;
interface ListedEvent {
  severity: (typeof SEVERITIES)[number];
  capturedAt: string;
}

describe('the histogram of events', async () => {
  const service = await startTestService();
  const user = await service.signUp();
  const {
    projects,
    events,
    startMs,
    endMs,
    time,
    filters: common,
  } = await sendRandomEvents(service, user, 7);
  const interval = fc.constantFrom('60', '120', '300', '3600', '86400');
  const filters = fc.record({ ...common, interval }, { requiredKeys: [] });

  it('counts the events of the list under the same filters, bucket by bucket', async () => {
    await fc.assert(
      fc.asyncProperty(filters, time, time, async (filter, one, two) => {
        const [from = '', to = ''] = [one, two].toSorted();
        if (from === to) return;
        const query = new URLSearchParams({ ...filter, from, to }).toString();
        const listed: ListedEvent[] = (await user.api.get(`/events?limit=500&${query}`)).body;
        const { status, body } = await user.api.get(`/events/histogram?${query}`);
        expect(status).toBe(200);
        const buckets: Bucket[] = body;
        if (filter.project_id && !projects.some(({ id }) => id === filter.project_id)) {
          expect(listed).toEqual([]);
        }
        for (const [index, bucket] of buckets.entries()) {
          const begin = Date.parse(bucket.start);
          const next = buckets[index + 1];
          const until = next ? Date.parse(next.start) : Number.POSITIVE_INFINITY;
          for (const severity of SEVERITIES) {
            const naive = listed.filter((event) => {
              const capturedAt = Date.parse(event.capturedAt);
              return event.severity === severity && capturedAt >= begin && capturedAt < until;
            });
            expect({ start: bucket.start, severity, count: bucket[severity] }).toEqual({
              start: bucket.start,
              severity,
              count: naive.length,
            });
          }
        }
        const sum = buckets.reduce(
          (total, bucket) => total + SEVERITIES.reduce((n, s) => n + bucket[s], 0),
          0,
        );
        expect(sum).toBe(listed.length);
      }),
      { numRuns: rounds(40, 120), seed: drawSeed() },
    );
  });

  it('answers histogram buckets without gaps, oldest first, aligned to the interval', async () => {
    const query = `from=${isoTime(startMs - 1)}&to=${isoTime(endMs)}&interval=600`;
    const buckets: Bucket[] = (await user.api.get(`/events/histogram?${query}`)).body;
    const starts = buckets.map((bucket) => Date.parse(bucket.start));
    expect(starts.every((time) => time % 600_000 === 0)).toBe(true);
    expect(starts.slice(1).every((time, index) => time - (starts[index] ?? 0) === 600_000)).toBe(true);
    for (const bucket of buckets) {
      expect(Object.keys(bucket).toSorted()).toEqual(['critical', 'error', 'info', 'start', 'warn']);
    }
  });

  it('covers the last 24 hours in at most 120 buckets by default', async () => {
    const buckets: Bucket[] = (await user.api.get('/events/histogram')).body;
    expect(buckets.length).toBeLessThanOrEqual(121);
    const sum = buckets.reduce((total, bucket) => total + SEVERITIES.reduce((n, s) => n + bucket[s], 0), 0);
    expect(sum).toBe(events.length);
  });

  it.each([
    'from=0001-01-01T00:00:00%2B23:59',
    'to=0001-01-01',
    'from=9999-12-31&to=9999-12-31T23:59:59.999-23:59',
    'from=1969-12-31T23:00:00Z&to=1970-01-01T01:00:00Z',
    'to=9999-12-31T23:59:59.999Z',
  ])('answers times at the ends of the calendar: ?%s', async (query) => {
    const answer = await user.api.get(`/events/histogram?${query}`);
    expect([200, 400]).toContain(answer.status);
    expect((await user.api.get(`/events?${query}`)).status).toBe(200);
  });

  it.each([
    'interval=0',
    'interval=59',
    'interval=90',
    'interval=-60',
    'interval=abc',
    'interval=1e400',
    'interval=-1e400',
    'from=2026-01-02&to=2026-01-01',
    'from=2026-01-01&to=2026-01-01',
    'from=2020-01-01&interval=60',
    'severity=ERROR',
    'q=a%00b',
    'type=%00',
  ])('refuses a histogram with ?%s', async (query) => {
    expectProblem(await user.api.get(`/events/histogram?${query}`), 'validation_failed');
  });
});
