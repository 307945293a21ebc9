import { describe, expect, it } from 'vitest';
import { OUTSIDE_DATABASE } from '../../../src/database/state.ts';
import { ApiClient } from '../../support/client.ts';
import { StillClock } from '../../support/clock.ts';
import { expectInvalid } from '../../support/problems.ts';
import { startTestService } from '../../support/service.ts';
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
    const { key, project } = await createKey({ origins: ['https://shop.example'] });
    expect(key).toMatchObject({ use: 'browser', origins: ['https://shop.example'] });
    const { body } = await user.api.get(`/projects/${project.id}/api-keys`);
    const forServers = { use: 'server', origins: [] };
    expect(body).toContainEqual(expect.objectContaining(forServers));
  });

  it('refuses limits of a key for servers, and an origin that is none', async () => {
    const { id } = await user.createProject();
    const path = `/projects/${id}/api-keys`;
    expectInvalid(await user.api.post(path, { origins: [] }), '/origins');
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

  it('lets a page of any origin read each refusal, of a large body as of a full service', async () => {
    const { project, send } = await createKey();
    const large = FATAL.padEnd(2 * 1024 * 1024 + 1);
    const tunnel = () => new ApiClient(service.ingestionUrl).post(`/t/${project.number}`, large);
    const items = Array.from({ length: 1_000 }, () => '{"type":"session"}\n{}');
    const answers = [await tunnel(), await send('envelope', ['{}', ...items].join('\n'))];
    refusal = 'The disk is full.';
    answers.push(await send('envelope', FATAL));
    refusal = null;
    expect(
      answers.map(({ status, headers }) => [
        status,
        headers.get('access-control-allow-origin'),
        headers.get('access-control-expose-headers')?.includes('X-Sentry-Error'),
      ]),
    ).toEqual([413, 413, 503].map((status) => [status, '*', true]));
  });
});
