import { describe, expect, it } from 'vitest';
import { newUuid, toId } from '../../src/platform/ids.ts';
import { uuidOf } from '../processing/support.ts';
import { readAll } from '../support/client.ts';
import { expectProblem } from '../support/problems.ts';
import { startTestService } from '../support/service.ts';

const HOUR_MS = 3_600_000;

describe('a search by values', async () => {
  const service = await startTestService();
  const user = await service.signUp();
  const { id, ingest } = await user.createProject();
  const send = async (message: string, correlation: object, payload: object = {}) => {
    const body = { type: 'checkout', severity: 'INFO', message, correlation, payload };
    expect((await ingest.post('/ingest/events', body)).status).toBe(202);
  };
  await send(
    'first',
    { order_id: 'ord_1', user_id: 'usr_1001', region: 'eu' },
    { cart: { id: 7, tags: ['a', 'b'] } },
  );
  await send(
    'second',
    { order_id: 'ord_2', user_id: 'usr_1001', attempt: 7 },
    { cart: { id: '8' }, paid: true },
  );
  await send('third', { order_id: 'usr_1001', 'a.b': 'dotted', flag: true }, { 'cart.id': 7 });
  await send('fourth', { order_id: 'ord_4', attempt: '7', flag: 'true', odd: '"]%_\\' });
  await service.settled();
  const messagesOf = async (query: string) => {
    const { status, body } = await user.api.get(`/events?project_id=${id}&${query}`);
    expect(status, JSON.stringify(body)).toBe(200);
    return body.map(({ message }: { message: string }) => message);
  };

  it.each([
    ['correlation.user_id=usr_1001', ['second', 'first']],
    ['correlation=usr_1001', ['third', 'second', 'first']],
    ['correlation.order_id=usr_1001', ['third']],
    ['correlation.region=eu', ['first']],
    ['correlation.attempt=7', ['fourth', 'second']],
    ['correlation.flag=true', ['fourth', 'third']],
    ['correlation.a.b=dotted', ['third']],
    [`correlation=${encodeURIComponent('"]%_\\')}`, ['fourth']],
    ['correlation.user_id=usr_1001&correlation.region=eu', ['first']],
    ['correlation.user_id=usr_1001&q=second', ['second']],
    ['correlation=usr_1001&correlation_id=ord_2', ['second']],
    ['correlation=usr_100', []],
    ['correlation=', []],
    ['payload.cart.id=7', ['first']],
    ['payload.cart.id=8', ['second']],
    ['payload.cart.tags.1=b', ['first']],
    ['payload.paid=true', ['second']],
    ['payload.cart.id=7&correlation.region=eu', ['first']],
    ['payload.cart=7', []],
    ['correlation.user_id!=usr_1001', ['fourth', 'third']],
    ['correlation!=usr_1001', ['fourth']],
    ['correlation.order_id!=ord_1&correlation.order_id!=ord_2', ['fourth', 'third']],
    ['correlation.attempt!=7', ['third', 'first']],
    ['correlation=usr_1001&correlation.user_id!=usr_1001', ['third']],
    ['payload.cart.id!=7', ['fourth', 'third', 'second']],
    ['payload.paid!=true&correlation.user_id=usr_1001', ['first']],
  ])('finds events by %s', async (query, expected) => {
    expect(await messagesOf(query)).toEqual(expected);
    const buckets = (await user.api.get(`/events/histogram?project_id=${id}&${query}`)).body as {
      info: number;
    }[];
    expect(buckets.reduce((sum, { info }) => sum + info, 0)).toBe(expected.length);
    for (const by of ['type', 'fingerprint']) {
      const top = (await user.api.get(`/events/top?project_id=${id}&by=${by}&${query}`)).body as {
        count: number;
      }[];
      expect(top.reduce((sum, { count }) => sum + count, 0)).toBe(expected.length);
    }
  });

  it.each([
    ['an empty key', 'correlation.=a'],
    ['a long key', `correlation.${'k'.repeat(257)}=a`],
    ['a NUL character in a key', 'correlation.a%00b=a'],
    ['a NUL character in a value', 'correlation.a=%00'],
    ['a long value', `correlation.a=${'x'.repeat(257)}`],
    ['a long value of any key', `correlation=${'x'.repeat(257)}`],
    ['a filter twice', 'correlation.a=1&correlation.a=2'],
    ['an empty path', 'payload.=1'],
    ['an empty name in a path', 'payload.a..b=1'],
    ['more than 16 levels', `payload.${Array.from({ length: 17 }, () => 'a').join('.')}=1`],
    ['an excluded empty key', 'correlation.!=a'],
    ['a NUL character in an excluded value', 'payload.a!=b&payload.a!=%00'],
    ['a long excluded value', `correlation!=${'x'.repeat(257)}`],
    ['an excluded severity that is none', 'severity!=fatal'],
    ['more than 16 excluded values', Array.from({ length: 17 }, (_, index) => `type!=${index}`).join('&')],
    [
      'more than 8 filters of values, some excluded',
      Array.from({ length: 9 }, (_, index) => `payload.a${index}${index % 2 ? '!' : ''}=1`).join('&'),
    ],
    ['more than 8 filters', Array.from({ length: 9 }, (_, index) => `correlation.k${index}=1`).join('&')],
  ])('refuses a query with %s', async (_what, query) => {
    for (const path of ['/events', '/events/histogram', '/events/top'])
      expectProblem(await user.api.get(`${path}?by=type&${query}`), 'validation_failed');
  });

  it('finds a rare value behind many other events by an index, and scans for a frequent one', async () => {
    const stranger = await service.signUp();
    const project = await stranger.createProject();
    const startMs = service.context.clock.now() - HOUR_MS;
    await service.database.pool.query(
      `INSERT INTO events (id, organization_id, project_id, received_at, severity, type, message, correlation_id,
          fingerprint, correlation, payload)
        SELECT (lpad(to_hex($3::bigint + n * 10), 12, '0') || '7000' || '8000' || lpad(to_hex(n), 12, '0'))::uuid,
          p.organization_id, p.id, now(), 'info', 't', 'm' || n, 'c', 'f',
          jsonb_build_object('user_id', CASE WHEN n <= 3 THEN 'rare' ELSE 'usual' END, 'n', n), '{}'
        FROM projects AS p, generate_series(1, $2) AS n WHERE p.id = $1`,
      [uuidOf(project.id), 101_000, startMs],
    );
    const ask = (path: string) => stranger.api.get(path);
    const rare = await ask('/events?correlation.user_id=rare&payload=omit');
    expect(rare.body.map(({ message }: { message: string }) => message)).toEqual(['m3', 'm2', 'm1']);
    expect(rare.headers.get('scanned-from')).toBeNull();
    const counted = await ask('/events/histogram?correlation=rare');
    expect(counted.headers.get('scanned-from')).toBeNull();
    expect(counted.body.reduce((sum: number, { info }: { info: number }) => sum + info, 0)).toBe(3);
    const usual = await ask('/events/histogram?correlation.user_id=usual');
    expect(usual.headers.get('scanned-events')).toBe('100000');
    expect(usual.headers.get('scanned-from')).toEqual(expect.any(String));
    const keys = await ask('/events/correlation-keys?correlation=rare');
    expect(keys.body).toMatchObject([{ key: 'user_id', count: 3 }]);
    expect(keys.headers.get('scanned-from')).toBeNull();
    const usualKeys = await ask('/events/correlation-keys?correlation=usual');
    expect(usualKeys.headers.get('scanned-from')).toEqual(expect.any(String));
    expect(usualKeys.body).toMatchObject([{ key: 'user_id', count: 100_000 }]);
    const others = await ask('/events/histogram?correlation.user_id!=usual');
    expect(others.headers.get('scanned-events')).toBe('100000');
    const oldest = await ask('/events?correlation.user_id=usual&order=asc&limit=2&payload=omit');
    expect(oldest.body.map(({ message }: { message: string }) => message)).toEqual(['m4', 'm5']);
  });

  it('returns the keys under which events have a value, with their number and times', async () => {
    const { status, body, headers } = await user.api.get('/events/correlation-keys?correlation=usr_1001');
    expect([status, headers.get('scanned-from')]).toEqual([200, null]);
    expect(body).toEqual([
      { key: 'user_id', count: 2, firstCapturedAt: expect.any(String), lastCapturedAt: expect.any(String) },
      { key: 'order_id', count: 1, firstCapturedAt: expect.any(String), lastCapturedAt: expect.any(String) },
    ]);
    expect(Date.parse(body[0].firstCapturedAt)).toBeLessThanOrEqual(Date.parse(body[0].lastCapturedAt));
    expect((await user.api.get('/events/correlation-keys?correlation=7')).body).toMatchObject([
      { key: 'attempt', count: 2 },
    ]);
    expect((await user.api.get('/events/correlation-keys?correlation=usr_100')).body).toEqual([]);
    for (const query of ['', 'correlation=', `correlation=${'x'.repeat(257)}`, 'correlation=a&correlation=b'])
      expectProblem(await user.api.get(`/events/correlation-keys?${query}`), 'validation_failed');
  });

  it('finds nothing of another organization', async () => {
    const stranger = await service.signUp();
    expect((await stranger.api.get('/events?correlation=usr_1001')).body).toEqual([]);
    expect((await stranger.api.get('/events?payload.cart.id=7')).body).toEqual([]);
    expect((await stranger.api.get('/events?correlation!=anything')).body).toEqual([]);
    expect((await stranger.api.get('/events/correlation-keys?correlation=usr_1001')).body).toEqual([]);
  });

  it('lists the oldest events first, each on one page', async () => {
    const listed = await readAll(user.api, `/events?project_id=${id}&order=asc&limit=1`);
    expect(listed.map(({ message }) => message)).toEqual(['first', 'second', 'third', 'fourth']);
    expect(await messagesOf('order=asc&type=checkout&limit=2')).toEqual(['first', 'second']);
    expect(await messagesOf('order=asc&q=o')).toEqual(['second', 'fourth']);
    expectProblem(await user.api.get('/events?order=up'), 'validation_failed');
    expectProblem(
      await user.api.get(`/events?order=asc&cursor=${toId('evt', newUuid(1))}`),
      'validation_failed',
    );
  });
});
