import { describe, expect, it } from 'vitest';
import { expectProblem } from '../support/problems.ts';
import { startTestService } from '../support/service.ts';

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const MINUTE_MS = 60_000;

describe('the list of events', async () => {
  const service = await startTestService();
  const user = await service.signUp();
  const shop = await user.createProject('Shop');
  const site = await user.createProject('Site');
  await user.api.patch(`/projects/${site.id}`, { environment: 'staging' });
  const start = service.context.clock.now() - 60 * MINUTE_MS;
  const at = (minute: number) => new Date(start + minute * MINUTE_MS).toISOString();
  const send = (project: typeof shop, minute: number, event: Record<string, unknown>) =>
    project.ingest.post('/ingest/events', {
      type: 'checkout',
      severity: 'INFO',
      message: `At minute ${minute}`,
      capturedAt: at(minute),
      ...event,
    });
  await send(shop, 1, { severity: 'ERROR', source: 'api', message: 'Die Kasse brennt, 100% sicher' });
  await send(shop, 2, {
    type: 'manual',
    severity: 'WARN',
    correlation: { order_id: 'ord_1' },
    environment: 'EU',
  });
  await send(site, 3, { severity: 'CRITICAL', source: 'web', correlation: { order_id: 'ord_1' } });
  await send(site, 4, { type: "it's", source: '', message: 'Under_score \\ back' });
  await send(site, 5, {
    type: 'manual',
    message: 'ÜBER alles',
    payload: { ['a\nb']: 1, ['']: { c: [null] } },
  });
  await service.settled();

  const minutes = async (query: string): Promise<number[]> => {
    const { status, body } = await user.api.get(`/events?${query}`);
    expect(status).toBe(200);
    return body.map((event: { capturedAt: string }) => (Date.parse(event.capturedAt) - start) / MINUTE_MS);
  };
  const encoded = encodeURIComponent;

  it('lists all events with all of their fields, newest first', async () => {
    expect(await minutes('')).toEqual([5, 4, 3, 2, 1]);
    const [event] = (await user.api.get('/events?severity=warn')).body;
    expect(event).toEqual({
      id: expect.stringMatching(/^evt_[0-9a-z]{26}$/),
      type: 'manual',
      severity: 'warn',
      source: null,
      message: 'At minute 2',
      payload: {},
      correlation: { order_id: 'ord_1' },
      correlationId: 'ord_1',
      fingerprint: expect.stringMatching(/^[0-9a-f]{16}$/),
      groupId: expect.stringMatching(/^grp_[0-9a-z]{26}$/),
      release: null,
      amount: null,
      changed: [],
      scrubbed: {},
      weight: 1,
      environment: 'eu',
      projectId: shop.id,
      organizationId: user.organizationId,
      capturedAt: at(2),
      receivedAt: TIME,
    });
    expect((await user.api.get(`/events/${event.id}`)).body).toEqual({ ...event, frames: [], causes: [] });
  });

  it('returns payloads as they were sent, whatever their keys are called', async () => {
    const [event] = (await user.api.get('/events?limit=1')).body;
    expect(event.payload).toEqual({ ['a\nb']: 1, ['']: { c: [null] } });
  });

  it.each<[string, number[]]>([
    [`project_id=${shop.id}`, [2, 1]],
    ['project_id=proj_01h455vb4pex5vsknk084sn02q', []],
    ['project_id=nonsense', []],
    ['project_id=', []],
    ['type=manual', [5, 2]],
    [`type=${encoded("it's")}`, [4]],
    ['type=Manual', []],
    ['severity=error', [1]],
    ['severity=critical', [3]],
    ['correlation_id=ord_1', [3, 2]],
    ['source=api', [1]],
    ['source=', [4]],
    [`project_id=${site.id}&type=manual&severity=info`, [5]],
    [`project_id=${shop.id}&severity=critical`, []],
    ['q=minute', [3, 2]],
    ['q=KASSE', [1]],
    [`q=${encoded('sicher  die')}`, [1]],
    [`q=${encoded('sicher nicht')}`, []],
    [`q=${encoded('100%')}`, [1]],
    ['q=%25', [1]],
    ['q=r_s', [4]],
    ['q=_', [4]],
    [`q=${encoded('\\')}`, [4]],
    [`q=${encoded('über ALLES')}`, [5]],
    [`q=${encoded('die kasse brennt die kasse brennt die kasse nirgends')}`, []],
    ['q=', [5, 4, 3, 2, 1]],
    ['unknown=filter', [5, 4, 3, 2, 1]],
  ])('lists for ?%s the events of minutes %j', async (query, expected) => {
    expect(await minutes(query)).toEqual(expected);
  });

  it.each<[string, number[]]>([
    ['type!=manual', [4, 3, 1]],
    [`type!=manual&type!=${encoded("it's")}`, [3, 1]],
    ['source!=api', [5, 4, 3, 2]],
    ['source!=', [5, 3, 2, 1]],
    ['severity!=info&severity!=warn', [3, 1]],
    ['correlation_id!=ord_1', [5, 4, 1]],
    ['release!=1.0.0', [5, 4, 3, 2, 1]],
    ['environment=staging', [5, 4, 3]],
    ['environment=development', []],
    ['environment!=staging', [2, 1]],
    ['environment!=staging&environment!=production', [2]],
    ['environment!=eu', [5, 4, 3, 1]],
    ['environment=prod', [1]],
    ['environment= EU ', [2]],
    ['environment=nowhere', []],
    [`project_id!=${shop.id}`, [5, 4, 3]],
    ['project_id!=nonsense', [5, 4, 3, 2, 1]],
    [`project_id=${shop.id}&project_id!=${shop.id}`, []],
    ['group_id!=nonsense', [5, 4, 3, 2, 1]],
    ['type=manual&severity!=warn', [5]],
    ['q=minute&type!=manual', [3]],
  ])('leaves out events that ?%s excludes, in the list and in every count', async (query, expected) => {
    expect(await minutes(query)).toEqual(expected);
    const range = `from=${at(0)}&to=${at(10)}`;
    const buckets: Record<string, number>[] = (await user.api.get(`/events/histogram?${range}&${query}`))
      .body;
    const counted = ['info', 'warn', 'error', 'critical'].flatMap((severity) =>
      buckets.map((bucket) => bucket[severity] ?? 0),
    );
    expect(counted.reduce((sum, count) => sum + count, 0)).toBe(expected.length);
    for (const by of ['type', 'source', 'fingerprint']) {
      const top: { count: number }[] = (await user.api.get(`/events/top?by=${by}&${range}&${query}`)).body;
      expect(top.reduce((sum, { count }) => sum + count, 0)).toBe(expected.length);
    }
  });

  it('leaves out the events of a fingerprint, and of a group', async () => {
    const { fingerprint, groupId } = (await user.api.get('/events?severity=critical')).body[0];
    expect(await minutes(`fingerprint!=${fingerprint}`)).toEqual([5, 4, 2, 1]);
    expect(await minutes(`group_id!=${groupId}`)).toEqual([5, 4, 2, 1]);
    expect(await minutes(`group_id=${groupId}&group_id!=${groupId}`)).toEqual([]);
  });

  it('finds events by their fingerprint', async () => {
    const [, , third] = (await user.api.get('/events')).body;
    expect(await minutes(`fingerprint=${third.fingerprint}`)).toEqual([3]);
  });

  it('filters by `from` and `to` strictly: after, and before', async () => {
    expect(await minutes(`from=${at(3)}`)).toEqual([5, 4]);
    expect(await minutes(`to=${at(3)}`)).toEqual([2, 1]);
    expect(await minutes(`from=${at(1)}&to=${at(3)}`)).toEqual([2]);
    expect(await minutes(`from=${at(2)}&to=${at(3)}`)).toEqual([]);
    const just = (time: string, ms: number) => new Date(Date.parse(time) + ms).toISOString();
    expect(await minutes(`from=${just(at(3), -1)}&to=${just(at(3), 1)}`)).toEqual([3]);
    expect(await minutes(`from=${at(4)}&to=${at(2)}`)).toEqual([]);
  });

  it('reads times in any zone, and as UTC without one', async () => {
    const shifted = new Date(start + 3 * MINUTE_MS + 2 * 3_600_000).toISOString().replace('Z', '+02:00');
    expect(await minutes(`from=${encoded(shifted)}`)).toEqual([5, 4]);
    expect(await minutes(`from=${at(3).replace('Z', '')}`)).toEqual([5, 4]);
    expect(await minutes('to=2020-01-01')).toEqual([]);
    expect(await minutes('from=9999-12-31T23:59:59.999Z')).toEqual([]);
    expect(await minutes('from=0001-01-01')).toEqual([5, 4, 3, 2, 1]);
  });

  it.each([
    'severity=ERROR',
    'severity=fatal',
    'severity=',
    'from=yesterday',
    'from=2026-02-30',
    'from=',
    'to=1795000000',
    `to=%2B275760-09-13`,
    'type=a&type=b',
    'limit=10&limit=20',
    'cursor=nonsense',
    'cursor=',
    ...['type', 'source', 'correlation_id', 'fingerprint', 'q', 'project_id', 'from', 'cursor'].map(
      (name) => `${name}=a%00b`,
    ),
  ])('refuses to list events with ?%s', async (query) => {
    expectProblem(await user.api.get(`/events?${query}`), 'validation_failed');
  });

  it('answers 404 for events that do not exist', async () => {
    for (const id of ['evt_01h455vb4pex5vsknk084sn02q', shop.id, 'nonsense', '%00', '..%2F']) {
      expectProblem(await user.api.get(`/events/${id}`), 'not_found');
    }
  });
});
