import { describe, expect, it } from 'vitest';
import { OUTSIDE_DATABASE } from '../../../src/database/state.ts';
import { ApiClient } from '../../support/client.ts';
import { StillClock } from '../../support/clock.ts';
import { expectInvalid } from '../../support/problems.ts';
import { startTestService } from '../../support/service.ts';
import { waitFor } from '../../support/wait.ts';
import { createDsnProject, envelopeOf } from './support.ts';

const NOW = Date.UTC(2026, 10, 21, 9, 30);
const FATAL = envelopeOf({}, [{ type: 'event' }, { level: 'fatal', message: 'Anyone can send this' }]);

describe('a key for browsers', async () => {
  let refusal: string | null = null;
  const databaseState = { ...OUTSIDE_DATABASE, findIntakeRefusal: () => refusal };
  const service = await startTestService({ clock: new StillClock(NOW), databaseState });
  const user = await service.signUp();
  const createKey = async (fields: object = {}) => {
    const project = await createDsnProject(service, user);
    const answer = await user.api.post(`/projects/${project.id}/api-keys`, { use: 'browser', ...fields });
    expect(answer.status).toBe(201);
    const { rawKey, ...key } = answer.body;
    const send = (endpoint: string, body: string, headers: Record<string, string> = {}) =>
      new ApiClient(service.ingestionUrl, headers).post(
        `/api/${project.number}/${endpoint}/?sentry_key=${rawKey}`,
        body,
      );
    return { project, rawKey, key, send };
  };

  it('shows the limits of a key for browsers, and none of one for servers', async () => {
    const { key, project } = await createKey({ origins: ['https://shop.example'], perMinute: 5 });
    expect(key).toMatchObject({ use: 'browser', origins: ['https://shop.example'], perMinute: 5 });
    const { body } = await user.api.get(`/projects/${project.id}/api-keys`);
    const forServers = { use: 'server', origins: [], perMinute: null };
    expect(body).toContainEqual(expect.objectContaining(forServers));
  });

  it('refuses limits of a key for servers, and an origin that is none', async () => {
    const { id } = await user.createProject();
    const path = `/projects/${id}/api-keys`;
    expectInvalid(await user.api.post(path, { perMinute: 5 }), '/perMinute');
    expectInvalid(
      await user.api.post(path, { use: 'browser', origins: ['https://a.example/b'] }),
      '/origins/0',
    );
  });

  it('takes envelopes and reports of violations with a key for browsers, and nothing else', async () => {
    const { rawKey, send } = await createKey();
    expect((await send('envelope', FATAL)).status).toBe(200);
    expect((await send('security', '{"csp-report":{"effective-directive":"img-src"}}')).status).toBe(200);
    expect(await send('store', '{"message":"m"}')).toMatchObject({
      status: 403,
      body: { code: 'browser_key_refused' },
    });
    const native = new ApiClient(service.ingestionUrl, { 'x-api-key': rawKey });
    const event = { type: 't', severity: 'INFO', message: 'm' };
    for (const [path, body] of [
      ['/ingest/events', event],
      ['/ingest/bulk', [event]],
      ['/ingest/deploys', { release: '1' }],
      ['/ingest/check-ins/nightly', {}],
    ] as const)
      expect((await native.post(path, body)).body).toMatchObject({ status: 401, code: 'invalid_api_key' });
  });

  it('makes no event of a key for browsers critical, and runs no job for it', async () => {
    const { project, send } = await createKey();
    await send('envelope', FATAL);
    const monitor_config = { schedule: { type: 'crontab', value: '0 3 * * *' } };
    const checkIn = { monitor_slug: 'nightly', status: 'error', monitor_config };
    expect((await send('envelope', envelopeOf({}, [{ type: 'check_in' }, checkIn]))).status).toBe(200);
    expect(await project.events(1)).toMatchObject([
      { severity: 'error', payload: { level: 'fatal' }, changed: ['severity'] },
    ]);
    expect((await user.api.get(`/projects/${project.id}/schedules`)).body).toEqual([]);
  });

  it('takes a key for browsers from pages of its origins alone', async () => {
    const { project, send } = await createKey({ origins: ['https://shop.example'] });
    expect((await send('envelope', FATAL, { origin: 'https://shop.example' })).status).toBe(200);
    for (const headers of [{ origin: 'https://evil.example' }, {}]) {
      const { status, headers: answered } = await send('envelope', FATAL, headers);
      expect([status, answered.get('access-control-allow-origin')]).toEqual([403, '*']);
      expect(answered.get('x-sentry-error')).toContain('origin');
    }
    await project.events(1);
  });

  it('limits the events a minute of a key for browsers, and names what the limit is for', async () => {
    const { project, send } = await createKey({ perMinute: 2 });
    const statuses = [];
    for (let count = 0; count < 3; count++) {
      const { status, headers } = await send('envelope', FATAL);
      statuses.push(status);
      if (count < 2) continue;
      expect(headers.get('x-sentry-rate-limits')).toBe('30:error;default;security;feedback;log_item:key');
      expect(headers.get('retry-after')).toBeNull();
    }
    expect(statuses).toEqual([200, 200, 429]);
    // Other keys of the project go on.
    expect((await project.sendItem('event', { message: 'From a server' })).status).toBe(200);
  });

  it('lets a page of any origin read each refusal, of a large body as of a full service', async () => {
    const { project, send } = await createKey({ perMinute: 2 });
    const large = FATAL.padEnd(2 * 1024 * 1024 + 1);
    const tunnel = () => new ApiClient(service.ingestionUrl).post(`/t/${project.number}`, large);
    const items = Array.from({ length: 1_000 }, () => '{"type":"session"}\n{}');
    const answers = [await tunnel(), await send('envelope', ['{}', ...items].join('\n'))];
    refusal = 'The disk is full.';
    answers.push(await send('envelope', FATAL));
    refusal = null;
    answers.push(await send('envelope', FATAL));
    expect(
      answers.map(({ status, headers }) => [
        status,
        headers.get('access-control-allow-origin'),
        headers.get('access-control-expose-headers')?.includes('X-Sentry-Error'),
      ]),
    ).toEqual([413, 413, 503, 429].map((status) => [status, '*', true]));
  });

  it('stores no more events of one envelope than the quota of a key for browsers, and counts the others', async () => {
    const { project, send } = await createKey({ perMinute: 2 });
    const log = { items: ['a', 'b', 'c', 'd', 'e'].map((body) => ({ level: 'fatal', body })) };
    expect((await send('envelope', envelopeOf({}, [{ type: 'log' }, log]))).status).toBe(200);
    for (const { severity } of await project.events(2)) expect(severity).toBe('error');
    expect(
      await waitFor('counts beside events', async () => {
        const { body } = await user.api.get(`/projects/${project.id}/ledger`);
        return body.unstored.length > 0 ? body.unstored : null;
      }),
    ).toEqual([{ kind: 'log_item', reason: 'over_quota', quantity: 3 }]);
  });
});
