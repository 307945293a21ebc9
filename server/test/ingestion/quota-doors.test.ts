import { expect, it } from 'vitest';
import { ApiClient } from '../support/client.ts';
import { StillClock } from '../support/clock.ts';
import { createTestDatabase } from '../support/database.ts';
import { expectProblem } from '../support/problems.ts';
import { startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait.ts';
import { createDsnProject, envelopeOf, type Item } from './envelopes/support.ts';
import { anEvent, unstoredOf } from './support.ts';

const NOW = Date.UTC(2026, 10, 21, 9, 32);
const RETRY_SECONDS = 180;

const database = await createTestDatabase('templateDatabase');
const service = await startTestService({ clock: new StillClock(NOW), database });
const user = await service.signUp();

/** Names the projects of all tests, whose quotas are loaded by the process that is started after them. */
const limits = { native: 2, bulk: 3, otlp: 2, cloudevents: 2, envelope: 2, others: 1, both: 100, pages: 100 };
type Name = keyof typeof limits;
const created = new Map<string, Awaited<ReturnType<typeof createDsnProject>>>();
for (const name of Object.keys(limits) as Name[]) {
  const project = await createDsnProject(service, user);
  await user.api.patch(`/projects/${project.id}/quotas`, { per5Minutes: limits[name] });
  created.set(name, project);
}
/** Keys for browsers, of one project. */
const pageKeys: string[] = [];
for (const name of ['Pages', 'Other pages']) {
  const path = `/projects/${created.get('pages')?.id}/api-keys`;
  const { body: key } = await user.api.post(path, { name, use: 'browser' });
  await user.api.patch(`/api-keys/${key.id}/quota`, { per5Minutes: 2 });
  pageKeys.push(key.rawKey);
}
const started = await Promise.all(
  [1, 2].map(() => startTestService({ clock: new StillClock(NOW), database, roles: ['ingestion'] })),
);

function projectOf(name: Name, process = 0) {
  const project = created.get(name);
  const ingestionUrl = started[process]?.ingestionUrl;
  if (!project || ingestionUrl === undefined) throw new Error(`There is no ${name}.`);
  const client = new ApiClient(ingestionUrl, { 'x-api-key': project.apiKey });
  const send = (key: string | undefined, ...items: Item[]) =>
    client.post(`/api/${project.number}/envelope/?sentry_key=${key}`, envelopeOf({}, ...items));
  const envelope = (...items: Item[]) => send(project.apiKey, ...items);
  return { ...project, client, envelope, send };
}

const messagesOf = (projectId: string, count: number) =>
  waitFor(`${count} events`, async () => {
    const { body } = await user.api.get(`/events?project_id=${projectId}`);
    return body.length >= count && body.map(({ message }: { message: string }) => message).toSorted();
  });
const unstored = (projectId: string, quantity: number) =>
  unstoredOf(() => started[0]?.wake('item counts'), user, projectId, quantity);

it('refuses events beyond a quota on both ways, and takes none for what is refused otherwise', async () => {
  const { client, id } = projectOf('native');
  const framework = { headers: { 'idempotency-key': 'first' } };
  expect((await client.post('/ingest/events', { type: 't' })).status).toBe(400);
  const first = await client.post('/ingest/events', anEvent(), framework);
  const repeat = await client.post('/ingest/events', anEvent(), framework);
  expect([first.status, repeat.body]).toEqual([202, first.body]);
  expect((await client.post('/ingest/events', anEvent())).status).toBe(202);
  const refused = await client.post('/ingest/events', anEvent());
  expectProblem(refused, 'over_quota');
  expect(refused.headers.get('retry-after')).toBe(String(RETRY_SECONDS));
  expect(refused.body.detail).toContain('2 events in 5 minutes');
  const slow = await client.post('/ingest/events', anEvent(), { headers: { 'idempotency-key': 'third' } });
  expectProblem(slow, 'over_quota');
  const late = await client.post('/ingest/events', anEvent(), framework);
  expect([late.status, late.body]).toEqual([202, first.body]);
  const stranger = new ApiClient(started[0]?.ingestionUrl ?? '', { 'x-api-key': 'tsn_live_unknown' });
  expectProblem(await stranger.post('/ingest/events', anEvent()), 'invalid_api_key');
  expect(await unstored(id, 2)).toEqual([{ kind: 'event', reason: 'over_quota', quantity: 2 }]);
});

it('accepts the first lines of a bulk body that fit, and refuses the others one by one', async () => {
  const { client, id } = projectOf('bulk');
  const lines = [
    anEvent({ message: 'a' }),
    { type: 't' },
    ...['b', 'c', 'd', 'e'].map((message) => anEvent({ message })),
  ];
  const headers = { 'idempotency-key': 'bulk' };
  const answer = await client.post('/ingest/bulk', lines, { headers });
  expect(answer.status).toBe(202);
  const codes = answer.body.map((line: { status?: string; error?: { code: string } }) =>
    line.error ? line.error.code : line.status,
  );
  expect(codes).toEqual(['queued', 'validation_failed', 'queued', 'queued', 'over_quota', 'over_quota']);
  expect(answer.body[4].error).toMatchObject({ status: 429, detail: expect.stringContaining('09:35') });
  expect(await messagesOf(id, 3)).toEqual(['a', 'b', 'c']);
  const full = await client.post('/ingest/bulk', [anEvent()]);
  expectProblem(full, 'over_quota');
  expect(full.headers.get('retry-after')).toBe(String(RETRY_SECONDS));
  expect((await client.post('/ingest/bulk', [{ type: 't' }])).status).toBe(202);
  const { body: ledger } = await user.api.get(`/projects/${id}/ledger`);
  expect(ledger).toMatchObject({ accepted: 3 });
});

it('accepts a part of an export by OTLP, and has a batch sent again if nothing of it fits', async () => {
  const { client, id } = projectOf('otlp');
  const logsOf = (...messages: string[]) => ({
    resourceLogs: [
      {
        scopeLogs: [
          { logRecords: messages.map((stringValue) => ({ severityNumber: 17, body: { stringValue } })) },
        ],
      },
    ],
  });
  const part = await client.post('/v1/logs', logsOf('a', 'b', 'c', 'd', 'e'));
  expect(part).toMatchObject({
    status: 200,
    body: {
      partialSuccess: {
        rejectedLogRecords: '3',
        errorMessage: expect.stringContaining('3 beyond the quota'),
      },
    },
  });
  const none = await client.post('/v1/logs', logsOf('f'));
  expect([none.status, none.headers.get('retry-after')]).toEqual([429, String(RETRY_SECONDS)]);
  expect(none.body).toMatchObject({ code: 8, message: expect.stringContaining('2 events in 5 minutes') });
  expect(await messagesOf(id, 2)).toEqual(['a', 'b']);
  expect(await unstored(id, 4)).toEqual([{ kind: 'log_item', reason: 'over_quota', quantity: 4 }]);
});

it('accepts the first CloudEvents of a batch that fit, and knows them again when it is repeated', async () => {
  const { client, id } = projectOf('cloudevents');
  const batch = ['a', 'b', 'c'].map((message) => ({
    specversion: '1.0',
    id: message,
    source: 'https://shop.example',
    type: 'order',
    data: { message },
  }));
  const headers = { 'content-type': 'application/cloudevents-batch+json' };
  const refused = await client.post('/ingest/cloudevents', JSON.stringify(batch), { headers });
  expectProblem(refused, 'over_quota');
  expect(await messagesOf(id, 2)).toEqual(['a', 'b']);
  expectProblem(await client.post('/ingest/cloudevents', JSON.stringify(batch), { headers }), 'over_quota');
  const { body: ledger } = await user.api.get(`/projects/${id}/ledger`);
  expect(ledger).toMatchObject({ accepted: 2, duplicate: 0 });
});

it('tells a client of Sentry to hold back its events, and nothing else', async () => {
  const { envelope, id } = projectOf('envelope');
  const limit = `${RETRY_SECONDS}:error;default;security;feedback;log_item:project:over_quota`;
  const log = { items: ['a', 'b', 'c', 'd', 'e'].map((body) => ({ level: 'error', body })) };
  const part = await envelope([{ type: 'log' }, log]);
  expect([part.status, part.headers.get('x-sentry-rate-limits')]).toEqual([200, limit]);
  const none = await envelope([{ type: 'event' }, { message: 'f' }]);
  expect([none.status, none.headers.get('x-sentry-rate-limits')]).toEqual([429, limit]);
  expect([part, none].map(({ headers }) => headers.get('retry-after'))).toEqual([null, null]);
  const monitor_config = { schedule: { type: 'crontab', value: '0 3 * * *' } };
  const checkIn = { monitor_slug: 'nightly', status: 'ok', monitor_config };
  const both = await envelope([{ type: 'event' }, { message: 'g' }], [{ type: 'check_in' }, checkIn]);
  expect([both.status, both.headers.get('x-sentry-rate-limits')]).toEqual([200, limit]);
  expect((await envelope([{ type: 'session' }, {}])).status).toBe(200);
  expect((await user.api.get(`/projects/${id}/schedules`)).body).toHaveLength(1);
  expect(await messagesOf(id, 2)).toEqual(['a', 'b']);
  expect(await unstored(id, 6)).toEqual([
    { kind: 'error', reason: 'over_quota', quantity: 2 },
    { kind: 'log_item', reason: 'over_quota', quantity: 3 },
    { kind: 'session', reason: 'not_kept', quantity: 1 },
  ]);
});

it('limits a key for browsers by its own quota, requests without an event included', async () => {
  const { send } = projectOf('pages');
  const [first, second] = pageKeys;
  const limit = `${RETRY_SECONDS}:error;default;security;feedback;log_item:key:over_quota`;
  const event: Item = [{ type: 'event' }, { level: 'fatal', message: 'Anyone can send this' }];
  expect((await send(first, [{ type: 'session' }, {}])).status).toBe(200);
  expect((await send(first, event)).status).toBe(200);
  for (const item of [event, [{ type: 'session' }, {}] as Item]) {
    const { status, headers } = await send(first, item);
    expect([status, headers.get('x-sentry-rate-limits')]).toEqual([429, limit]);
    expect(headers.get('access-control-allow-origin')).toBe('*');
  }
  const log = { items: ['a', 'b', 'c', 'd', 'e'].map((body) => ({ level: 'fatal', body })) };
  const part = await send(second, [{ type: 'log' }, log]);
  expect([part.status, part.headers.get('x-sentry-rate-limits')]).toEqual([200, limit]);
  expect((await projectOf('pages').envelope(event)).status).toBe(200);
});

it('limits neither alerts nor deploys nor check-ins', async () => {
  const { client, id } = projectOf('others');
  expect((await client.post('/ingest/events', anEvent({ message: 'only' }))).status).toBe(202);
  expectProblem(await client.post('/ingest/events', anEvent()), 'over_quota');
  const alert = {
    status: 'firing',
    labels: { alertname: 'Down' },
    annotations: {},
    startsAt: new Date(NOW).toISOString(),
    endsAt: '0001-01-01T00:00:00Z',
    generatorURL: '',
    fingerprint: 'f1',
  };
  const notification = {
    version: '4',
    groupKey: 'g',
    status: 'firing',
    receiver: 'r',
    groupLabels: {},
    commonLabels: {},
    commonAnnotations: {},
    externalURL: '',
    truncatedAlerts: 0,
    alerts: [alert],
  };
  expect((await client.post('/ingest/alertmanager', notification)).status).toBe(202);
  expect((await client.post('/ingest/deploys', { release: '1' })).status).toBe(202);
  expect(await messagesOf(id, 2)).toHaveLength(2);
});

it('holds a limit over two processes, and shows since when it is exceeded and what was refused', async () => {
  const [first, second] = [projectOf('both', 0), projectOf('both', 1)];
  const lines = Array.from({ length: 40 }, () => anEvent());
  const statuses = (
    await Promise.all(
      [first, second].flatMap(({ client }) => [
        client.post('/ingest/bulk', lines),
        client.post('/ingest/bulk', lines),
      ]),
    )
  ).map(({ status, body }) =>
    status === 202 ? body.filter(({ status: line }: { status?: string }) => line === 'queued').length : 0,
  );
  expect(statuses.reduce((sum, count) => sum + count, 0)).toBe(100);
  const { exceeded } = await waitFor('an exceeded limit', async () => {
    for (const { wake } of started) wake('quotas');
    const { body } = await user.api.get(`/projects/${first.id}/quotas`);
    return body.exceeded[0]?.refused === 60 && body;
  });
  expect(exceeded).toEqual([
    { key: null, limit: 'per5Minutes', since: new Date(NOW).toISOString(), refused: 60 },
  ]);
  const { body: ledger } = await user.api.get(`/projects/${first.id}/ledger`);
  expect(ledger.accepted).toBe(100);
});
