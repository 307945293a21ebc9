import { describe, expect, it } from 'vitest';
import { eventsOn } from '../../src/events/read/events-on.ts';
import { compareReleases } from '../../src/groups/comparison/compare-releases.ts';
import { toUuid } from '../../src/platform/ids.ts';
import { uuidOf } from '../processing/support.ts';
import { expectProblem } from '../support/problems.ts';
import { startTestService } from '../support/service.ts';

const MINUTE_MS = 60_000;

interface SentEvent {
  type: string;
  severity: string;
  message: string;
  release: string;
  environment?: string;
  capturedAt?: string;
}

describe('the comparison of two releases', async () => {
  const service = await startTestService();
  const setUp = async () => {
    const user = await service.signUp();
    const { id, ingest, organizationId } = await user.createProject('Shop');
    const send = async (...events: SentEvent[]) => {
      expect((await ingest.post('/ingest/bulk', events)).status).toBe(202);
      await service.settled();
    };
    const compare = async (query: Record<string, string> = {}) =>
      (await user.api.get(`/projects/${id}/releases/comparison?${new URLSearchParams(query).toString()}`))
        .body;
    return { user, id, ingest, organizationId, send, compare };
  };
  const events = (count: number, event: SentEvent) => Array.from({ length: count }, () => event);
  const event = (severity: string, message: string, release: string, more: Partial<SentEvent> = {}) => ({
    type: 'checkout',
    severity,
    message,
    release,
    ...more,
  });
  const worse = (message: string, count: number, baseCount: number) => [
    ...events(count, event('ERROR', message, '1.1.0')),
    ...events(baseCount, event('ERROR', message, '1.0.0')),
  ];

  it('counts each group in both releases as its raw events, and sorts by how much worse it became', async () => {
    const { user, id, send, compare } = await setUp();
    await send(
      ...worse('Card was declined', 3, 4),
      ...worse('No price was found', 60, 2),
      ...events(5, event('WARN', 'Slow answer', '1.0.0')),
      ...events(30, event('INFO', 'Order was placed', '1.0.0')),
    );
    await send(
      ...events(4, event('CRITICAL', 'The disk is full', '1.1.0')),
      ...events(40, event('INFO', 'Order was placed', '1.1.0')),
    );
    const found = await compare();
    expect(found).toMatchObject({
      projectId: id,
      environment: null,
      release: { version: '1.1.0', events: 107, errors: 67, from: null, to: null },
      base: { version: '1.0.0', events: 41, errors: 6, from: null, to: null },
      totals: { worse: 1, new: 1, gone: 1 },
    });
    expect(found.groups.map(({ title, change }: Record<string, string>) => [change, title])).toEqual([
      ['worse', 'No price was found'],
      ['new', 'The disk is full'],
      ['gone', 'Slow answer'],
    ]);
    const { body: raw } = await user.api.get(`/events?project_id=${id}&limit=200`);
    const countOf = (message: string, release: string) =>
      raw.filter((one: SentEvent) => one.message === message && one.release === release).length;
    for (const { title, events: count, baseEvents, difference } of found.groups) {
      expect([count, baseEvents]).toEqual([countOf(title, '1.1.0'), countOf(title, '1.0.0')]);
      expect(difference.value).toBeCloseTo(count / 107 - baseEvents / 41);
      expect(difference.low).toBeLessThan(difference.value);
      expect(difference.high).toBeGreaterThan(difference.value);
    }
    expect(found.difference.value).toBeCloseTo(67 / 107 - 6 / 41);
  });

  it('finds a group worse that is back, and counts merged groups as one', async () => {
    const { user, id, send, compare } = await setUp();
    await send(event('ERROR', 'Back again', '0.9.0'), event('ERROR', 'Part one', '0.9.0'));
    await send(event('INFO', 'Started', '1.0.0'), event('ERROR', 'Part two', '1.0.0'));
    await send(event('ERROR', 'Back again', '1.1.0'), event('ERROR', 'Part one', '1.1.0'));
    await send(...events(3, event('ERROR', 'Part two', '1.1.0')));
    const { body } = await user.api.get(`/groups?project_id=${id}`);
    const [one, two] = ['Part one', 'Part two'].map((title) =>
      body.find((group: { title: string }) => group.title === title),
    );
    expect((await user.api.post(`/groups/${one.id}/merge`, { ids: [two.id] })).status).toBe(200);
    const { groups } = await compare({ release: '1.1.0' });
    expect(
      groups.map((group: Record<string, unknown>) => [
        group['title'],
        group['change'],
        group['events'],
        group['baseEvents'],
      ]),
    ).toEqual([
      ['Part one', 'worse', 4, 1],
      ['Back again', 'worse', 1, 0],
      ['Started', 'gone', 0, 1],
    ]);
  });

  it('compares with the newest older release, passing over a build that one user has', async () => {
    const { send, compare } = await setUp();
    const app = (release: string, user: string) => ({
      ...event('INFO', 'Started', release),
      correlation: { user_id: user },
    });
    for (const release of ['4.17.8', '4.18.1', '4.18.2', '4.17.9'])
      await send(app(release, 'ada'), app(release, 'bob'));
    await send(app('4.18.1-local', 'ada'));
    expect(await compare()).toMatchObject({ release: { version: '4.18.2' }, base: { version: '4.18.1' } });
    expect(await compare({ release: '4.17.9' })).toMatchObject({ base: { version: '4.17.8' } });
    expect(await compare({ release: '4.17.8' })).toMatchObject({ base: null, difference: null, groups: [] });
  });

  it('counts the events of one environment, also of one that is not watched', async () => {
    const { user, id, send, compare } = await setUp();
    await send(event('INFO', 'Started', '1.0.0'), event('INFO', 'Started', '1.0.0', { environment: 'qa' }));
    await user.api.patch(`/projects/${id}/environments/qa`, { isWatched: false });
    await send(
      ...events(2, event('ERROR', 'Broken', '1.1.0', { environment: 'qa' })),
      event('INFO', 'Started', '1.1.0'),
    );
    expect(await compare()).toMatchObject({
      release: { events: 1, errors: 0 },
      base: { events: 1, errors: 0 },
      totals: { worse: 0, new: 0, gone: 0 },
    });
    expect(await compare({ environment: ' QA' })).toMatchObject({
      environment: 'qa',
      release: { events: 2, errors: 2 },
      base: { events: 1, errors: 0 },
    });
    expect(await compare({ environment: 'nowhere' })).toMatchObject({
      release: { events: 0 },
      base: { events: 0 },
    });
  });

  it('finds no change between a release and itself, and none beside a release without events', async () => {
    const { ingest, send, compare } = await setUp();
    expect(await compare()).toMatchObject({ release: null, base: null, difference: null, groups: [] });
    await send(event('ERROR', 'Broken', '1.0.0'));
    expect(await compare({ release: '1.0.0', base: '1.0.0' })).toMatchObject({
      release: { events: 1, errors: 1 },
      base: { events: 1, errors: 1 },
      difference: { value: 0 },
      groups: [],
    });
    expect((await ingest.post('/ingest/deploys', { release: '1.1.0' })).status).toBe(202);
    await service.settled();
    expect(await compare()).toMatchObject({
      release: { version: '1.1.0', events: 0 },
      base: { version: '1.0.0', events: 1 },
      difference: null,
      groups: [],
    });
    // A single new error is a new group, and says nothing yet about shares.
    await send(event('ERROR', 'Another', '1.1.0'));
    const { totals, difference } = await compare();
    expect(totals).toEqual({ worse: 0, new: 1, gone: 1 });
    expect(difference).toMatchObject({ value: 0, low: expect.any(Number) });
    expect(difference.low).toBeLessThan(0);
  });

  it.each(["'; DROP TABLE releases; --", '<img src=x>', '1.0.0 & base=2', '\u202e0.1', '%00', '🚀/../'])(
    'compares a release with the name %j',
    async (name) => {
      const { send, compare } = await setUp();
      await send(event('INFO', 'Started', '0.9.0'));
      await send(event('ERROR', 'Broken', name));
      const found = await compare({ release: name, base: '0.9.0' });
      expect(found).toMatchObject({ release: { version: name, events: 1 }, totals: { new: 1, gone: 1 } });
    },
  );

  it('refuses names that no release can have, and projects of others', async () => {
    const { user, id } = await setUp();
    const path = `/projects/${id}/releases/comparison`;
    for (const query of ['release=%00', 'base=', `release=${'x'.repeat(129)}`, 'environment=%00'])
      expectProblem(await user.api.get(`${path}?${query}`), 'validation_failed');
    const other = await service.signUp();
    expectProblem(await other.api.get(path), 'not_found');
  });

  it('says from when on events were counted, and takes the time of the old release where the new one fills the scan', async () => {
    const { id, organizationId, send } = await setUp();
    const nowMs = service.context.clock.now();
    const minutesAgo = (minutes: number) => new Date(nowMs - minutes * MINUTE_MS).toISOString();
    const at = (count: number, one: SentEvent, minutes: number) =>
      Array.from({ length: count }, (_, index) => ({ ...one, capturedAt: minutesAgo(minutes - index) }));
    await send(
      ...at(8, event('INFO', 'Started', '1.0.0'), 50),
      ...at(1, event('ERROR', 'Only before', '1.0.0'), 39),
      ...at(1, event('ERROR', 'Rare', '1.1.0'), 30),
      ...at(9, event('INFO', 'Started', '1.1.0'), 29),
      // One machine still runs the old release.
      ...at(1, event('INFO', 'Started', '1.0.0'), 5),
    );
    const compare = (maxScanned: number) =>
      compareReleases(eventsOn(service.context.pool), {
        organizationId: toUuid('org', organizationId) ?? '',
        project: { id: uuidOf(id), groupPrefix: 'SHOP' },
        release: '1.1.0',
        base: '1.0.0',
        environment: undefined,
        now: new Date(nowMs),
        maxScanned,
      });
    expect(await compare(100)).toMatchObject({
      release: { events: 10, from: null, to: null },
      base: { events: 10, from: null, to: null },
      totals: { new: 1, gone: 1 },
    });
    const bounded = await compare(5);
    expect(bounded.release).toMatchObject({ events: 5, to: null, from: expect.any(String) });
    expect(bounded.base).toMatchObject({
      events: 5,
      errors: 1,
      to: minutesAgo(30),
    });
    expect(Date.parse(bounded.base?.from ?? '')).toBeLessThan(Date.parse(minutesAgo(40)));
  });
});
