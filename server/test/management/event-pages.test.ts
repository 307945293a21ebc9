import { describe, expect, it } from 'vitest';
import { ApiClient, nextPage } from '../support/client.ts';
import { StillClock } from '../support/clock.ts';
import { expectInvalid } from '../support/problems.ts';
import { startTestService } from '../support/service.ts';

const TOTAL = 1_200;

describe('the pages of events', async () => {
  // The clock does not move: all events have the same timestamp.
  const clock = new StillClock();
  const service = await startTestService({ clock });
  const user = await service.signUp();
  const project = await user.createProject();
  const sendMany = (count: number, from = 0) =>
    project.ingest.post(
      '/ingest/bulk',
      Array.from({ length: count }, (_, index) => ({
        type: 'load',
        severity: 'INFO',
        message: `Event ${from + index}`,
        capturedAt: new Date(clock.now()).toISOString(),
      })),
    );
  expect((await sendMany(TOTAL)).status).toBe(202);
  await service.settled();

  it('lists 50 events a page by default, and 500 at most', async () => {
    expect((await user.api.get('/events')).body).toHaveLength(50);
    for (const [limit, size] of [
      ['1', 1],
      ['499', 499],
      ['500', 500],
      ['501', 500],
      ['100000', 500],
      ['99999999999999999999', 500],
    ]) {
      expect((await user.api.get(`/events?limit=${limit}`)).body).toHaveLength(Number(size));
    }
  });

  it.each(['0', '-1', 'abc', '', '1.5', 'NaN', '1e999', '-1e999', 'Infinity', 'null', 'true', '5,5'])(
    'refuses a page of events with limit=%s',
    async (limit) => {
      expectInvalid(await user.api.get(`/events?limit=${limit}`), '/limit');
    },
  );

  it('pages through all events without gap or repeat, even with equal timestamps and new events', async () => {
    const seen: string[] = [];
    let path: string | undefined = '/events?limit=97&type=load';
    let pages = 0;
    while (path !== undefined) {
      const { status, body, headers } = await user.api.get(path);
      expect(status).toBe(200);
      seen.push(...body.map(({ message }: { message: string }) => message));
      path = nextPage({ headers });
      if (++pages % 4 === 0) {
        // One millisecond later: newer than every event read so far.
        clock.advance(1);
        await sendMany(5, 10_000 + pages);
        await service.settled();
      }
    }
    expect(pages).toBe(Math.ceil(TOTAL / 97));
    const expected = Array.from({ length: TOTAL }, (_, index) => `Event ${index}`);
    expect(seen.toSorted()).toEqual(expected.toSorted());
    expect(new Set(seen).size).toBe(TOTAL);
  });

  it('links the next page of events at the requested address, with the same filters', async () => {
    const { headers } = await user.api.get(`/events?limit=2&type=load&q=event&project_id=${project.id}`);
    const next = new URL(nextPage({ headers }) ?? '');
    expect(next.origin).toBe(service.managementUrl);
    expect(next.pathname).toBe('/events');
    const { cursor, ...filters } = Object.fromEntries(next.searchParams);
    expect(filters).toEqual({ limit: '2', type: 'load', q: 'event', project_id: project.id });
    expect(cursor).toMatch(/./);
  });

  it('links no next page of events on the last page, even a full one', async () => {
    const query = `correlation_id=${(await user.api.get('/events?limit=1')).body[0].correlationId}`;
    const { length } = (await user.api.get(`/events?limit=500&${query}`)).body;
    const last = await user.api.get(`/events?limit=${length}&${query}&to=1990-01-01`);
    expect(last.headers.get('link')).toBeNull();
    const few = await user.api.get('/events?limit=5&q=10004');
    expect(few.body.length).toBeLessThanOrEqual(5);
    expect((await user.api.get(`/events?limit=${few.body.length}&q=10004`)).headers.get('link')).toBeNull();
  });

  it('links the next page of events at the public address if one is set', async () => {
    const environment = { PUBLIC_URL: 'https://tocsin.example.com' };
    const published = await startTestService({
      roles: ['management'],
      database: service.database,
      environment,
    });
    const client = new ApiClient(published.managementUrl);
    client.cookie = user.api.cookie;
    const { headers } = await client.get('/events?limit=1');
    expect(nextPage({ headers })).toMatch(/^https:\/\/tocsin\.example\.com\/events\?limit=1&cursor=\w+$/);
    await published.stop();
  });
});
