import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ApiClient } from '../../support/client.ts';
import { expectProblem } from '../../support/problems.ts';
import { startTestService } from '../../support/service.ts';
import { unstoredOf } from '../support.ts';
import { createDsnProject, envelopeOf, newEventId } from './support.ts';

const FRAMES = [
  { filename: '/app/node_modules/express/router.js', function: 'next', lineno: 7, colno: 3, in_app: false },
  { filename: '/app/src/pay.js', function: 'charge', lineno: 10, colno: 5, in_app: true },
];
const CHAIN = {
  exception: {
    values: [
      { type: 'ConnectionError', value: 'refused', stacktrace: { frames: FRAMES } },
      {
        type: 'PaymentError',
        value: 'Card 4242 was not charged',
        stacktrace: { frames: FRAMES },
        mechanism: { type: 'onuncaughtexception', handled: false },
      },
    ],
  },
};

describe('an envelope', async () => {
  const service = await startTestService();
  const user = await service.signUp();
  const newProject = () => createDsnProject(service, user);

  it('stores the event of an envelope under the exception that was thrown, with its cause and its frames', async () => {
    const project = await newProject();
    const event_id = newEventId();
    const event = {
      ...CHAIN,
      event_id,
      level: 'fatal',
      platform: 'node',
      release: 'shop@1.4.2',
      server_name: 'pod-7f9c',
      user: { id: 42 },
      tags: { browser: 'Chrome' },
      contexts: { trace: { trace_id: 'a1b2' } },
    };
    const answer = await project.send('envelope', envelopeOf({ event_id }, [{ type: 'event' }, event]));
    expect([answer.status, answer.body]).toEqual([200, { id: event_id }]);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    const [stored] = await project.events(1);
    expect(stored).toMatchObject({
      type: 'PaymentError',
      severity: 'critical',
      source: 'shop',
      message: 'Card 4242 was not charged',
      release: 'shop@1.4.2',
      correlation: { user_id: '42', trace_id: 'a1b2', browser: 'Chrome' },
      changed: [],
    });
    expect(stored.payload).toMatchObject({
      handled: false,
      frames: [
        { file: '/app/src/pay.js', function: 'charge', line: 10, column: 5, inApplication: true },
        { file: '/app/node_modules/express/router.js', inApplication: false },
      ],
      causes: [{ type: 'ConnectionError', value: 'refused' }],
    });
  });

  it('groups the errors of envelopes by the class of its cause and the frames of the application, whatever the message', async () => {
    const project = await newProject();
    for (const value of ['Order 1 failed', 'Nothing alike'])
      await project.sendItem('event', {
        exception: { values: [{ type: 'TypeError', value, stacktrace: { frames: FRAMES } }] },
      });
    const [first, second] = await project.events(2);
    expect(first.groupId).toBe(second.groupId);
  });

  it('groups a message by its text, with the frames that sent it or without', async () => {
    const project = await newProject();
    const stacktrace = { frames: FRAMES };
    await project.sendItem('event', { message: 'Disk is full' });
    await project.sendItem('event', {
      message: 'Disk is full',
      exception: { values: [{ value: 'Disk is full', stacktrace, mechanism: { synthetic: true } }] },
    });
    const [first, second] = await project.events(2);
    expect(first.type).toBe('message');
    expect(first.groupId).toBe(second.groupId);
  });

  it('stores an event of an envelope once that its client sends again, by an id with dashes or without', async () => {
    const project = await newProject();
    const event_id = newEventId();
    const dashed = event_id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    const event = { message: 'Once', event_id };
    for (const id of [event_id, dashed.toUpperCase()]) {
      const answer = await project.send('envelope', envelopeOf({ event_id: id }, [{ type: 'event' }, event]));
      expect(answer.body).toEqual({ id: event_id });
    }
    expect((await project.send('store', JSON.stringify(event))).body).toEqual({ id: event_id });
    await project.events(1);
    const { body: ledger } = await user.api.get(`/projects/${project.id}/ledger`);
    expect(ledger).toMatchObject({ accepted: 3, duplicate: 2 });
  });

  it('counts and records nothing again of an envelope that its client sends again', async () => {
    const project = await newProject();
    const event_id = newEventId();
    const monitor_config = { schedule: { type: 'interval', value: 1, unit: 'hour' } };
    const envelope = envelopeOf(
      { event_id },
      [{ type: 'event' }, { message: 'Once' }],
      [{ type: 'session' }, {}],
      [{ type: 'check_in' }, { monitor_slug: 'hourly', status: 'ok', monitor_config }],
    );
    for (let sent = 0; sent < 2; sent++)
      expect((await project.send('envelope', envelope)).body).toEqual({ id: event_id });
    const unstored = await unstoredOf(() => service.wake('item counts'), user, project.id, 1);
    expect(unstored).toEqual([{ kind: 'session', reason: 'not_kept', quantity: 1 }]);
    const path = `/projects/${project.id}/schedules`;
    const [schedule] = (await user.api.get(path)).body;
    expect((await user.api.get(`${path}/${schedule.id}/check-ins`)).body).toHaveLength(1);
  });

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ] as const)('reads an envelope compressed with %s, without a content type', async (encoding, compress) => {
    const project = await newProject();
    const body = compress(envelopeOf({}, [{ type: 'event' }, { message: encoding }]));
    expect((await project.send('envelope', body, { 'content-encoding': encoding })).status).toBe(200);
    expect(await project.events(1)).toMatchObject([
      { message: encoding, type: 'message', severity: 'error' },
    ]);
  });

  it('reads items of an envelope by their length in bytes, and those without one up to the end of their line', async () => {
    const project = await newProject();
    const text = JSON.stringify({ message: 'Zahlung für 5 €' });
    const attachment = 'two\nlines';
    const body = [
      '{}',
      JSON.stringify({ type: 'attachment', length: Buffer.byteLength(attachment) }),
      attachment,
      JSON.stringify({ type: 'event', length: Buffer.byteLength(text) }),
      text,
      JSON.stringify({ type: 'session' }),
      '{"sid":"1"}',
    ].join('\n');
    expect((await project.send('envelope', body)).status).toBe(200);
    expect(await project.events(1)).toMatchObject([{ message: 'Zahlung für 5 €' }]);
  });

  it.each([
    [
      'in X-Sentry-Auth',
      (key: string) => ({ 'x-sentry-auth': `Sentry sentry_version=7, sentry_key=${key}` }),
    ],
    ['in Authorization', (key: string) => ({ authorization: `Sentry sentry_key=${key}, sentry_secret=old` })],
  ])('accepts an envelope with its key %s', async (_where, headersOf) => {
    const project = await newProject();
    const client = new ApiClient(service.ingestionUrl, headersOf(project.apiKey));
    const body = envelopeOf({}, [{ type: 'event' }, { message: 'By header' }]);
    expect((await client.post(`/api/${project.number}/envelope/`, body)).status).toBe(200);
    await project.events(1);
  });

  it('accepts an envelope through a tunnel by the DSN in it, also by an old one with a secret', async () => {
    const project = await newProject();
    const client = new ApiClient(service.ingestionUrl);
    for (const key of [project.apiKey, `${project.apiKey}:secret`]) {
      const dsn = `https://${key}@errors.example/${project.number}`;
      const body = envelopeOf({ dsn }, [{ type: 'event' }, { message: key }]);
      expect((await client.post(`/t/${project.number}`, body)).status).toBe(200);
    }
    await project.events(2);
  });

  it('accepts an envelope through a tunnel in gzip, and in no other coding', async () => {
    const project = await newProject();
    const client = new ApiClient(service.ingestionUrl);
    const dsn = `https://${project.apiKey}@errors.example/${project.number}`;
    const extra = { long: 'x'.repeat(100_000) };
    const body = envelopeOf({ dsn }, [{ type: 'event' }, { message: 'From a server', extra }]);
    const send = (coding: string, packed: Buffer) =>
      client.post(`/t/${project.number}`, packed, { headers: { 'content-encoding': coding } });
    expect((await send('gzip', gzipSync(body))).status).toBe(200);
    expect((await send('gzip', Buffer.from(body))).status).toBe(400);
    expect((await send('br', brotliCompressSync(body))).status).toBe(415);
    const stranger = body.replace(project.apiKey, 'none');
    expect((await send('gzip', gzipSync(stranger))).status).toBe(403);
    expect(await project.events(1)).toMatchObject([{ message: 'From a server' }]);
  });

  it('refuses an envelope with an unknown key, a revoked one and one of another project in the same words', async () => {
    const [project, other] = [await newProject(), await newProject()];
    const [{ id: keyId }] = (await user.api.get(`/projects/${other.id}/api-keys`)).body;
    await other.sendItem('event', { message: 'While the key is valid' });
    await user.api.delete(`/api-keys/${keyId}`);
    const client = new ApiClient(service.ingestionUrl);
    const body = envelopeOf({}, [{ type: 'event' }, { message: 'Refused' }]);
    const refusals = [];
    for (const [number, key] of [
      [project.number, project.apiKey.replace(/.$/, (last) => (last === '0' ? '1' : '0'))],
      [other.number, other.apiKey],
      [other.number, project.apiKey],
      [project.number, ''],
    ]) {
      const {
        status,
        headers,
        body: problem,
      } = await client.post(`/api/${number}/envelope/?sentry_key=${key}`, body);
      const { requestId: _own, ...rest } = problem;
      refusals.push([
        status,
        headers.get('x-sentry-error'),
        headers.get('access-control-allow-origin'),
        rest,
      ]);
    }
    expect(refusals[0]).toMatchObject([403, expect.stringContaining('DSN'), '*', { code: 'invalid_dsn' }]);
    for (const refusal of refusals) expect(refusal).toEqual(refusals[0]);
  });

  it('allows pages of any origin to send an envelope', async () => {
    const project = await newProject();
    const client = new ApiClient(service.ingestionUrl, { origin: 'https://shop.example' });
    for (const path of [`/api/${project.number}/envelope/`, `/t/${project.number}`]) {
      const { status, headers } = await client.request('OPTIONS', path);
      expect([status, headers.get('access-control-allow-origin')]).toEqual([204, '*']);
      expect(headers.get('access-control-allow-headers')).toContain('X-Sentry-Auth');
    }
  });

  it('refuses a minidump in words, once its key is valid', async () => {
    const project = await newProject();
    const { status, headers } = await project.send('minidump', 'MDMP');
    expect(status).toBe(415);
    expect(headers.get('x-sentry-error')).toMatch(/^Minidumps are not taken: .*\.$/);
    const unknown = await new ApiClient(service.ingestionUrl).post(
      `/api/${project.number}/minidump/`,
      'MDMP',
    );
    expect(unknown.status).toBe(403);
  });

  it('answers a client of PostHog in words', async () => {
    const client = new ApiClient(service.ingestionUrl);
    for (const path of ['/batch', '/batch/']) {
      const answer = await client.post(path, { api_key: 'phc_1', batch: [] });
      expectProblem(answer, 'not_found');
      expect(answer.body.detail).toMatch(/PostHog are not taken/);
    }
  });

  it.each([
    ['that is empty', ''],
    ['whose headers are no object', '[]\n{"type":"event"}\n{}'],
    ['with an item that is longer than it', '{}\n{"type":"event","length":999}\n{}'],
    ['with an event that is no JSON', '{}\n{"type":"event"}\n{"message":'],
    ['with an item without a type', '{}\n{}\n{}'],
    ['with an id that is none', '{"event_id":"7"}\n{"type":"event"}\n{}'],
    ['with a check-in without a slug', '{}\n{"type":"check_in"}\n{"status":"ok"}'],
  ])('refuses in words an envelope %s', async (_what, body) => {
    const project = await newProject();
    const { status, headers } = await project.send('envelope', body);
    expect(status).toBe(400);
    expect(headers.get('x-sentry-error')).toMatch(/\.$/);
    expect(headers.get('retry-after')).toBeNull();
  });

  it('refuses an envelope of 10,000 items', async () => {
    const project = await newProject();
    const items = Array.from({ length: 10_000 }, () => '{"type":"session"}\n{}');
    expect((await project.send('envelope', ['{}', ...items].join('\n'))).status).toBe(413);
  });

  it('refuses an envelope that unpacks to more than 20 MiB', async () => {
    const project = await newProject();
    const body = gzipSync(Buffer.alloc(30 * 1024 * 1024));
    expect((await project.send('envelope', body, { 'content-encoding': 'gzip' })).status).toBe(413);
  });

  it('keeps an event of an envelope with NUL and half a surrogate pair, and says which parts were cut or corrected', async () => {
    const project = await newProject();
    const frames = Array.from({ length: 500 }, (_, line) => ({
      filename: 'a.js',
      lineno: line,
      in_app: true,
    }));
    const breadcrumbs = Array.from({ length: 150 }, (_, index) => ({ message: String(index) }));
    const event = JSON.stringify({
      message: 'A literal \\u0000 and a real \0',
      stacktrace: { frames },
      breadcrumbs: { values: breadcrumbs },
      timestamp: 1_000,
      extra: JSON.parse('{"__proto__":{"a":"\\ud800"}}'),
    });
    expect((await project.sendItem('event', event)).status).toBe(200);
    const [stored] = await project.events(1);
    expect(stored.message).toBe('A literal \\u0000 and a real \uFFFD');
    expect(stored.changed).toEqual(['breadcrumbs', 'clock', 'fields', 'frames']);
    expect(stored.payload.frames).toHaveLength(200);
    expect(stored.payload.frames[0].line).toBe(499);
    expect(stored.payload.frames.at(-1).line).toBe(0);
    expect(stored.payload.breadcrumbs).toHaveLength(100);
    expect(stored.payload.timestamp).toBe(1_000);
  });

  it('stores an event whose values are nested thousands of levels deep without the deepest', async () => {
    const project = await newProject();
    const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;
    expect((await project.sendItem('event', `{"message":"Deep","extra":{"a":${deep}}}`)).status).toBe(200);
    expect(await project.events(1)).toMatchObject([{ message: 'Deep', changed: ['fields'] }]);
  });

  it('stores an event for each record of the log in an envelope', async () => {
    const project = await newProject();
    const attributes = {
      order_id: { value: 'ord_1', type: 'string' },
      'user.id': { value: 7, type: 'integer' },
      'sentry.release': { value: 'shop@2', type: 'string' },
    };
    await project.sendItem('log', {
      items: [
        { timestamp: 1, trace_id: 'abc', level: 'warn', body: 'Slow', attributes },
        { level: 'fatal', body: 'Down', attributes },
      ],
    });
    const stored = await project.events(2);
    expect(new Set(stored.map(({ message }) => message))).toEqual(new Set(['Down', 'Slow']));
    expect(stored.find(({ message }) => message === 'Slow')).toMatchObject({
      type: 'log',
      severity: 'warn',
      source: 'shop',
      release: 'shop@2',
      correlation: { order_id: 'ord_1', user_id: '7', trace_id: 'abc' },
      changed: ['clock'],
    });
  });

  it('stores what a user wrote as information, also beside the error that it is about', async () => {
    const project = await newProject();
    const event_id = newEventId();
    await project.sendItem('event', { event_id, message: 'The error' }, { event_id });
    await project.sendItem(
      'user_report',
      { event_id, comments: 'It broke', email: 'a@b.example' },
      { event_id },
    );
    await project.sendItem('feedback', { contexts: { feedback: { message: 'I like it', name: 'Ada' } } });
    const stored = await project.events(3);
    const feedback = stored.filter(({ type }) => type === 'feedback');
    expect(new Set(feedback.map(({ message }) => message))).toEqual(new Set(['I like it', 'It broke']));
    for (const { severity } of feedback) expect(severity).toBe('info');
  });

  it('adds to the ledger what an envelope holds beside events, and what its client says that it lost', async () => {
    const project = await newProject();
    await project.sendItem('session', {});
    await project.sendItem('span', {});
    await project.sendItem('kind_of_tomorrow', {});
    await project.sendItem('client_report', {
      discarded_events: [
        { reason: 'ratelimit_backoff', category: 'error', quantity: 3 },
        { reason: 'of tomorrow', category: 'error', quantity: 1 },
      ],
    });
    const unstored = await unstoredOf(() => service.wake('item counts'), user, project.id, 7);
    expect(unstored).toEqual([
      { kind: 'error', reason: 'other', quantity: 1 },
      { kind: 'error', reason: 'ratelimit_backoff', quantity: 3 },
      { kind: 'other', reason: 'not_kept', quantity: 1 },
      { kind: 'session', reason: 'not_kept', quantity: 1 },
      { kind: 'span', reason: 'not_kept', quantity: 1 },
    ]);
  });

  it('checks in for a schedule that an envelope declares in minutes, even if the end arrives before the start', async () => {
    const project = await newProject();
    const check_in_id = newEventId();
    const run = { check_in_id, monitor_slug: 'Nightly Backup' };
    const monitor_config = {
      schedule: { type: 'crontab', value: '0 3 * * *' },
      checkin_margin: 5,
      max_runtime: 30,
      timezone: 'Europe/Berlin',
    };
    const ended = project.sendItem('check_in', { ...run, status: 'ok' });
    expect(
      (await project.sendItem('check_in', { ...run, status: 'in_progress', monitor_config })).status,
    ).toBe(200);
    expect((await ended).status).toBe(200);
    // A repeat of the start is no start of another run.
    expect(
      (await project.sendItem('check_in', { ...run, status: 'in_progress', monitor_config })).status,
    ).toBe(200);
    const { body } = await user.api.get(`/projects/${project.id}/schedules`);
    expect(body).toMatchObject([
      {
        slug: 'nightly-backup',
        cron: '0 3 * * *',
        timeZone: 'Europe/Berlin',
        graceSeconds: 300,
        maxRuntimeSeconds: 1_800,
        status: 'ok',
      },
    ]);
  });

  it('stores the violation of a page’s policy as a warning, grouped by directive and blocked origin', async () => {
    const project = await newProject();
    const report = (blocked: string) =>
      JSON.stringify({ 'csp-report': { 'effective-directive': 'script-src', 'blocked-uri': blocked } });
    const headers = { 'content-type': 'application/csp-report' };
    for (const file of ['a.js', 'b.js'])
      expect((await project.send('security', report(`https://evil.example/${file}`), headers)).status).toBe(
        200,
      );
    const [first, second] = await project.events(2);
    expect(first).toMatchObject({
      type: 'csp-violation',
      severity: 'warn',
      message: 'Blocked https://evil.example by script-src',
    });
    expect(first.groupId).toBe(second.groupId);
  });
});
