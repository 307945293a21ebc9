import { describe, expect, it } from 'vitest';
import { readPages } from '../support/client.ts';
import { insertRiskIncident } from '../support/risk-incidents.ts';
import { startTestService } from '../support/service.ts';
import { storeEvents } from '../support/stored-events.ts';

const MIB = 1024 * 1024;
const PAGE_BYTES = 8 * MIB;
const LARGE = 16;

interface ListedEvent {
  id: string;
  message: string;
  payload?: { text: string };
}

describe('pages of large events', async () => {
  const service = await startTestService({ roles: ['management'] });
  const user = await service.signUp();
  const project = await user.createProject();
  const { pool } = service.database;
  const firstMs = Math.floor(service.context.clock.now() / 60_000 - 5) * 60_000;
  // Payloads that are small when stored and large as JSON; messages that are six times as long in JSON.
  await storeEvents(pool, project, {
    count: LARGE,
    firstMs,
    message: `'Large ' || n`,
    payload: `jsonb_build_object('text', repeat('a', ${MIB}))`,
  });
  await storeEvents(pool, project, {
    count: 100,
    firstMs: firstMs - 1_000,
    type: `'escaped'`,
    severity: `'critical'`,
    message: `repeat(chr(1), 32000)`,
  });
  await storeEvents(pool, project, {
    count: 1,
    firstMs: firstMs - 2_000,
    type: `'huge'`,
    payload: `jsonb_build_object('text', repeat('b', ${PAGE_BYTES + MIB}))`,
  });

  /** Reads all pages, from the newest on. */
  const pages = async (address: string) =>
    (await readPages(user.api, address)).map(({ body, headers }) => {
      expect(headers.get('scanned-from')).toBeNull();
      return { events: body as ListedEvent[], bytes: Buffer.byteLength(JSON.stringify(body)) };
    });
  const sizes = (all: { events: ListedEvent[] }[]) => all.map(({ events }) => events.length);

  it.each(['', '&type=load', '&q=large', '&fingerprint=f&type=load'])(
    'ends pages of large events at 8 MiB with a link, and leaves out no event and no part of one, with ?limit=500%s',
    async (query) => {
      const all = await pages(`/events?limit=500${query}`);
      const large = all.flatMap(({ events }) => events).slice(0, LARGE);
      expect(large.map(({ message }) => message)).toEqual(
        Array.from({ length: LARGE }, (_, index) => `Large ${LARGE - 1 - index}`),
      );
      for (const { payload } of large) expect(payload?.text).toHaveLength(MIB);
      for (const { bytes } of all.filter(({ events }) => events.length > 1))
        expect(bytes).toBeLessThanOrEqual(PAGE_BYTES);
      expect(sizes(all).slice(0, 2)).toEqual([7, 7]);
    },
  );

  it('limits pages of events by the escaped size of their messages, too', async () => {
    const all = await pages('/events?limit=500&type=escaped&payload=omit');
    expect(sizes(all).reduce((sum, size) => sum + size)).toBe(100);
    expect(sizes(all).length).toBeGreaterThan(2);
    for (const { bytes } of all) expect(bytes).toBeLessThanOrEqual(PAGE_BYTES);
  });

  it('puts at least one event on a page, however large the event is', async () => {
    const [page, ...others] = await pages('/events?type=huge');
    expect(others).toEqual([]);
    expect(page?.events[0]?.payload?.text).toHaveLength(PAGE_BYTES + MIB);
  });

  it('ends a page of large events at the limit where that comes first', async () => {
    expect(sizes(await pages('/events?limit=5&type=load'))).toEqual([5, 5, 5, 1]);
  });

  it('fits more events on a page without payloads', async () => {
    const [page, ...others] = await pages('/events?limit=500&type=load&payload=omit');
    expect(others).toEqual([]);
    expect(page?.events).toHaveLength(LARGE);
    for (const event of page?.events ?? []) expect(event).not.toHaveProperty('payload');
    expect((await user.api.get('/events?payload=none')).status).toBe(400);
  });

  it('limits the events behind an incident in the same way', async () => {
    const series = {
      kind: 'events',
      type: 'load',
      severity: 'info',
      source: null,
      fingerprint: null,
    } as const;
    const incidentId = await insertRiskIncident(pool, project, { fromMs: firstMs, evidence: { series } });
    const path = `/incidents/${incidentId}/events`;
    expect(sizes(await pages(`${path}?limit=500`))).toEqual([7, 7, 2]);
    expect(sizes(await pages(`${path}?limit=500&payload=omit`))).toEqual([LARGE]);
    expect(sizes(await pages(`${path}?limit=9&payload=omit`))).toEqual([9, 7]);
  });
});
