import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expectProblem } from '../support/problems.ts';
import { startTestService } from '../support/service.ts';
import { rounds } from '../support/test-length.ts';
import { drawSeed } from '../support/test-seed.ts';
import { SEVERITIES, sendRandomEvents } from './random-events.ts';

const BY = ['type', 'source', 'fingerprint'] as const;

interface Top {
  value: string | null;
  label: string | null;
  severity: string;
  count: number;
  sparkline: number[];
}
interface ListedEvent extends Record<(typeof BY)[number], string | null> {
  severity: string;
  message: string;
  capturedAt: string;
}

describe('the most frequent values', async () => {
  const service = await startTestService();
  const user = await service.signUp();
  const { events, at, time, filters: common } = await sendRandomEvents(service, user, 11);
  const filters = fc.record(common, { requiredKeys: [] });
  const top = async (query: string): Promise<Top[]> => {
    const { status, body } = await user.api.get(`/events/top?${query}`);
    expect(status).toBe(200);
    return body;
  };

  it('counts the most frequent values under the filters of the list, with the worst severity', async () => {
    await fc.assert(
      fc.asyncProperty(filters, fc.constantFrom(...BY), time, time, async (filter, by, one, two) => {
        const [from = '', to = ''] = [one, two].toSorted();
        if (from === to) return;
        const query = new URLSearchParams({ ...filter, from, to }).toString();
        const listed: ListedEvent[] = (await user.api.get(`/events?limit=500&${query}`)).body;
        const expected = [...new Set(listed.map((event) => event[by]))].map((value) => {
          const same = listed.filter((event) => event[by] === value);
          const worst = Math.max(
            ...same.map(({ severity }) => SEVERITIES.findIndex((each) => each === severity)),
          );
          return { value, count: same.length, severity: SEVERITIES[worst] };
        });
        const values = await top(`by=${by}&limit=50&${query}`);
        const sort = (all: { value: string | null }[]) =>
          all.toSorted((left, right) => String(left.value).localeCompare(String(right.value)));
        const shown = values.map(({ value, count, severity }) => ({ value, count, severity }));
        expect(sort(shown)).toEqual(sort(expected));
        const counts = values.map(({ count }) => count);
        expect(counts).toEqual(counts.toSorted((left, right) => right - left));
        for (const { count, sparkline } of values) {
          expect(sparkline).toHaveLength(24);
          expect(sparkline.every((part) => Number.isInteger(part) && part >= 0)).toBe(true);
          expect(sparkline.reduce((sum, part) => sum + part, 0)).toBe(count);
        }
      }),
      { numRuns: rounds(50, 150), seed: drawSeed() },
    );
  });

  it('labels frequent fingerprints with the message of the newest event, cut to 300 characters', async () => {
    const listed: ListedEvent[] = (await user.api.get('/events?limit=500')).body;
    const values = await top('by=fingerprint&limit=50');
    expect(values.length).toBeGreaterThan(5);
    for (const { value, label } of values) {
      const newest = listed.find((event) => event.fingerprint === value);
      expect(label).toBe(newest?.message.slice(0, 300));
    }
    for (const by of ['type', 'source']) {
      for (const { label } of await top(`by=${by}`)) expect(label).toBeNull();
    }
  });

  it.each(['by=type', 'by=fingerprint'])(
    'counts the most frequent values in 24 equal parts of the range, with ?%s',
    async (by) => {
      const [from, to] = [Date.parse(at(0)) - 1, Date.parse(at(48))];
      const query = `from=${new Date(from).toISOString()}&to=${new Date(to).toISOString()}`;
      const listed: ListedEvent[] = (await user.api.get(`/events?limit=500&${query}`)).body;
      const sums = Array.from({ length: 24 }, () => 0);
      for (const { sparkline } of await top(`limit=50&${by}&${query}`))
        for (const [part, count] of sparkline.entries()) sums[part] = (sums[part] ?? 0) + count;
      // Each part lasts exactly two minutes.
      const parts = listed.map(({ capturedAt }) => Math.floor((Date.parse(capturedAt) - from - 1) / 120_000));
      expect(sums).toEqual(sums.map((_, part) => parts.filter((each) => each === part).length));
    },
  );

  it('returns the requested number of frequent values, by default ten, of the last 24 hours', async () => {
    expect(await top('by=fingerprint&limit=2')).toHaveLength(2);
    const kinds = (await top('by=fingerprint&limit=50')).length;
    expect(await top('by=fingerprint')).toHaveLength(Math.min(kinds, 10));
    expect((await top('by=type')).reduce((sum, { count }) => sum + count, 0)).toBe(events.length);
    expect(await top(`by=type&to=${at(-600)}`)).toEqual([]);
  });

  it('returns no frequent values of a deleted project', async () => {
    const doomed = await user.createProject('Doomed');
    await doomed.ingest.post('/ingest/events', { type: 'doomed', severity: 'INFO', message: 'm' });
    await service.settled();
    const found = async () => [
      ...(await top('by=type&type=doomed')),
      ...(await top('by=fingerprint&type=doomed')),
    ];
    expect(await found()).toHaveLength(2);
    await user.api.delete(`/projects/${doomed.id}`);
    expect(await found()).toEqual([]);
  });

  it.each([
    '',
    'by=message',
    'by=TYPE',
    'by=type&by=source',
    'by=type&limit=0',
    'by=type&limit=51',
    'by=type&limit=abc',
    'by=type&severity=ERROR',
    'by=type&from=2026-01-02&to=2026-01-01',
    'by=type&from=yesterday',
    'by=type&q=a%00b',
  ])('refuses the most frequent values with ?%s', async (query) => {
    expectProblem(await user.api.get(`/events/top?${query}`), 'validation_failed');
  });

  it.each(['from=0001-01-01', 'to=9999-12-31T23:59:59.999Z', 'from=0001-01-01&to=9999-12-31'])(
    'answers the most frequent values at the ends of the calendar: ?%s',
    async (query) => {
      for (const by of BY) await top(`by=${by}&${query}`);
      await top(`by=fingerprint&type=manual&${query}`);
      expect((await user.api.get(`/events?type=other&${query}`)).status).toBe(200);
    },
  );
});
