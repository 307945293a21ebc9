import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expectProblem } from '../support/problems.ts';
import { startTestService } from '../support/service.ts';

const MINUTE_MS = 60_000;
const SEVERITIES = ['info', 'warn', 'error', 'critical'];
const BY = ['type', 'source', 'fingerprint'] as const;

interface Top {
  value: string | null;
  label: string | null;
  severity: string;
  count: number;
  sparkline: number[];
}
interface Listed extends Record<(typeof BY)[number], string | null> {
  severity: string;
  message: string;
  capturedAt: string;
}

describe('the most frequent values', async () => {
  const service = await startTestService();
  const user = await service.signUp();
  const projects = [await user.createProject('Shop'), await user.createProject('Site')];
  const end = Math.floor(service.context.clock.now() / MINUTE_MS) * MINUTE_MS;
  const start = end - 180 * MINUTE_MS;
  const at = (minute: number, ms = 0) => new Date(start + minute * MINUTE_MS + ms).toISOString();
  const events = fc.sample(
    fc.record(
      {
        type: fc.constantFrom('checkout', 'manual', 'login'),
        severity: fc.constantFrom('INFO', 'WARN', 'ERROR', 'CRITICAL'),
        message: fc.constantFrom('Kasse voll', 'Kasse leer', `Kasse ${'sehr '.repeat(100)}alt`),
        capturedAt: fc
          .tuple(fc.integer({ min: 0, max: 179 }), fc.constantFrom(0, 1, 30_000, 59_999))
          .map(([minute, ms]) => at(minute, ms)),
        source: fc.constantFrom('api', 'web'),
        correlation: fc.constantFrom({ order_id: 'a' }, { order_id: 'b' }),
      },
      { requiredKeys: ['type', 'severity', 'message', 'capturedAt'] },
    ),
    { numRuns: 400, seed: 11 },
  );
  for (const [index, project] of projects.entries()) {
    const half = events.filter((_event, place) => place % 2 === index);
    expect((await project.ingest.post('/ingest/bulk', half)).status).toBe(202);
  }
  await service.settled();
  const [{ fingerprint } = { fingerprint: '' }] = (await user.api.get('/events?limit=1')).body;
  const top = async (query: string): Promise<Top[]> => {
    const { status, body } = await user.api.get(`/events/top?${query}`);
    expect(status).toBe(200);
    return body;
  };

  const time = fc
    .tuple(fc.integer({ min: -10, max: 190 }), fc.constantFrom(0, 1, 30_000, 59_999))
    .map(([minute, ms]) => at(minute, ms));
  const filters = fc.record(
    {
      project_id: fc.constantFrom(...projects.map(({ id }) => id), 'proj_01h455vb4pex5vsknk084sn02q'),
      type: fc.constantFrom('checkout', 'manual', 'other'),
      severity: fc.constantFrom(...SEVERITIES),
      source: fc.constantFrom('api', 'web', ''),
      correlation_id: fc.constantFrom('a', 'b'),
      fingerprint: fc.constant(fingerprint),
      q: fc.constantFrom('kasse', 'voll', 'leer kasse'),
    },
    { requiredKeys: [] },
  );

  it('counts the most frequent values under the filters of the list, with the worst severity', async () => {
    await fc.assert(
      fc.asyncProperty(filters, fc.constantFrom(...BY), time, time, async (filter, by, one, two) => {
        const [from = '', to = ''] = [one, two].toSorted();
        if (from === to) return;
        const query = new URLSearchParams({ ...filter, from, to }).toString();
        const listed: Listed[] = (await user.api.get(`/events?limit=500&${query}`)).body;
        const expected = [...new Set(listed.map((event) => event[by]))].map((value) => {
          const same = listed.filter((event) => event[by] === value);
          const worst = Math.max(...same.map(({ severity }) => SEVERITIES.indexOf(severity)));
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
      { numRuns: 150 },
    );
  });

  it('labels frequent fingerprints with the message of the newest event, cut to 300 characters', async () => {
    const listed: Listed[] = (await user.api.get('/events?limit=500')).body;
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
      const listed: Listed[] = (await user.api.get(`/events?limit=500&${query}`)).body;
      const sums = Array.from({ length: 24 }, () => 0);
      for (const { sparkline } of await top(`limit=50&${by}&${query}`))
        for (const [part, count] of sparkline.entries()) sums[part] = (sums[part] ?? 0) + count;
      // Each part is exactly two minutes.
      const parts = listed.map(({ capturedAt }) => Math.floor((Date.parse(capturedAt) - from - 1) / 120_000));
      expect(sums).toEqual(sums.map((_, part) => parts.filter((each) => each === part).length));
    },
  );

  it('returns as many frequent values as requested, else ten, of the last 24 hours', async () => {
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
