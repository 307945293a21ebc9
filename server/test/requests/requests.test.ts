import { createHmac } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type ExpensiveRead, ExpensiveReads } from '../../src/database/expensive-reads.ts';
import { eventsOn } from '../../src/events/read/events-on.ts';
import { createEventReader } from '../../src/events/read/queries.ts';
import { cloudEventClaimKey } from '../../src/ingestion/intake/idempotency.ts';
import { hashNamedId } from '../../src/ingestion/requests/describe-request.ts';
import { insertSamples } from '../../src/ingestion/requests/queries.ts';
import { newUuid, toUuid } from '../../src/platform/ids.ts';
import { insertClaims } from '../../src/queue/queries.ts';
import { findTrace } from '../../src/requests/find-trace.ts';
import { createDsnProject, envelopeOf, newEventId } from '../ingestion/envelopes/support.ts';
import { anEvent, eventIdOf } from '../ingestion/support.ts';
import { type Answer, ApiClient } from '../support/client.ts';
import { beginHeldTransaction } from '../support/held-transaction.ts';
import { expectProblem } from '../support/problems.ts';
import { startTestService, type TestUser } from '../support/service.ts';
import { waitFor } from '../support/wait.ts';

const service = await startTestService();
const client = new ApiClient(service.ingestionUrl);
const [user, stranger] = [await service.signUp(), await service.signUp()];
const [project, foreign] = [await createDsnProject(service, user), await createDsnProject(service, stranger)];
const SECRET = 'hunter2-is-a-secret';

const requestsOf = async ({ api }: TestUser, id: string) => (await api.get(`/projects/${id}/requests`)).body;
const findAtOnce = async (id: string, { api }: TestUser = user, projectId = project.id) => {
  const { status, body } = await api.get(`/projects/${projectId}/requests/find?id=${encodeURIComponent(id)}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
};
/** Finds a request, again where a busy machine does not search the queue in time. */
const findBy = (...request: Parameters<typeof findAtOnce>) =>
  waitFor('a search of the queue', async () => {
    const found = await findAtOnce(...request);
    return found.state !== 'searching' && found;
  });
const makeKey = async (fields: object) =>
  (await user.api.post(`/projects/${project.id}/api-keys`, fields)).body;
/** Sends an event as programs do that send nothing else: by the hot route. */
const sendPlain = (key: string, body: string) =>
  fetch(`${service.ingestionUrl}/ingest/events`, {
    method: 'POST',
    headers: {
      'x-api-key': key,
      'content-type': 'application/json',
      'user-agent': `shop/1.0 token=${SECRET}`,
    },
    body,
  });
const STRUCTURED = { 'content-type': 'application/cloudevents+json' };
const sendCloudEvent = (body: string, headers: Record<string, string> = STRUCTURED) =>
  project.ingest.post('/ingest/cloudevents', body, { headers });
const cloudEventOf = (source: string) =>
  JSON.stringify({ specversion: '1.0', id: 'urn:order/4711', source, type: 'order.created' });
const groupKey = '{}/{team="shop"}:{alertname="DiskFull"}';
const startsAt = new Date(service.context.clock.now() - 120_000).toISOString();
const alertOf = (status: string, fingerprint = 'f0a1"%') => ({
  status,
  labels: { alertname: 'DiskFull', severity: 'critical' },
  startsAt,
  fingerprint,
});
const notify = (...alerts: object[]) => project.ingest.post('/ingest/alertmanager', { groupKey, alerts });
const mistype = (key: string) => `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`;

const revoked = await makeKey({ name: 'Former' });
await client.post('/ingest/events', anEvent(), { headers: { 'x-api-key': revoked.rawKey } });
await user.api.delete(`/api-keys/${revoked.id}`);
const pings = await makeKey({ name: 'Jobs', use: 'ping' });
const hook = (await user.api.post(`/projects/${project.id}/hooks`, { kind: 'github' })).body;

const accepted: Answer[] = [];
for (const headers of [{}, { 'idempotency-key': 'order-17' }, { 'idempotency-key': 'order-17' }])
  accepted.push(await project.ingest.post('/ingest/events', anEvent({ severity: 'ERROR' }), { headers }));
const refusals = [
  await sendPlain(project.apiKey, '{"type":'),
  await sendPlain(project.apiKey, JSON.stringify(anEvent({ correlation: { [SECRET]: ['x'] } }))),
];
const invalid = await client.post('/ingest/events', anEvent(), {
  headers: { 'x-api-key': mistype(project.apiKey), 'idempotency-key': 'lost-1', 'x-company-token': SECRET },
});
await client.post('/ingest/events', anEvent(), { headers: { 'x-api-key': revoked.rawKey } });
await project.ingest.post('/ingest/event', anEvent());
const sentryId = newEventId();
await project.send('envelope', envelopeOf({ event_id: sentryId }, [{ type: 'event' }, { message: 'Sent' }]));
const lostId = newEventId();
const broken = gzipSync(envelopeOf({ event_id: lostId }, [{ type: 'event' }, `{"${SECRET}`]));
await project.send('envelope', new Uint8Array(broken), { 'content-encoding': 'gzip' });
await client.post(`/api/${project.number}/envelope/?sentry_key=${SECRET}`, new Uint8Array(broken), {
  headers: {
    'content-encoding': 'gzip',
    'x-sentry-auth': 'Sentry sentry_client=sentry.python/2.19.0',
  },
});
await client.post(`/api/${foreign.number}/envelope/?sentry_key=${project.apiKey}`, envelopeOf({}));
await client.get(`/ping/${pings.rawKey}/nightly?create=1`);
await client.get(`/ping/${pings.rawKey}/no-such`);
await notify({ ...alertOf('firing', '62d8e2a1c94b7f03'), startsAt: 'never' });
await sendCloudEvent('x', { 'content-type': 'text/plain', 'ce-id': 'ce 1', 'ce-specversion': '1.0' });
await sendCloudEvent(JSON.stringify({ id: 'ü:2', specversion: '1.0' }, null, 2));
await client.post(new URL(hook.url).pathname, '{}', { headers: { 'x-github-delivery': 'delivery-9' } });
const deployed = JSON.stringify({
  deployment_status: { state: 'success', environment: 'production' },
  deployment: { ref: 'v1' },
});
for (let delivery = 0; delivery < 2; delivery++)
  await client.post(new URL(hook.url).pathname, deployed, {
    headers: {
      'x-github-event': 'deployment_status',
      'x-github-delivery': 'delivery-10',
      'x-hub-signature-256': `sha256=${createHmac('sha256', hook.secret).update(deployed).digest('hex')}`,
    },
  });
await project.ingest.post('/v1/metrics', {});

service.wake('request counts');
// A write of its own accord may come between two of the requests: wait for the last one.
await waitFor('the counts', async () => {
  const { newest } = await requestsOf(user, project.id);
  return newest.some(({ path }: { path: string }) => path === '/v1/metrics');
});
/** Counts of the project, once all are written: an answer beside that write may have them in one of its lists alone. */
const counted = await requestsOf(user, project.id);
const lineOf = (protocol: string, keyPrefix: string | null) =>
  counted.keys.find(
    (line: Record<string, unknown>) => line['protocol'] === protocol && line['keyPrefix'] === keyPrefix,
  );
const reasonsOf = (line: { refusals: { reason: string; quantity: number }[] }) =>
  Object.fromEntries(line.refusals.map(({ reason, quantity }) => [reason, quantity]));
const prefixOf = (key: string) => key.slice(0, 14);

describe('the requests of a project', () => {
  it('counts requests by protocol, key and reason', () => {
    const own = prefixOf(project.apiKey);
    expect(lineOf('events', own)).toMatchObject({ accepted: 3, refused: 3, isRevoked: false });
    expect(reasonsOf(lineOf('events', own))).toEqual({
      invalid_api_key: 1,
      malformed_json: 1,
      validation_failed: 1,
    });
    expect(lineOf('sentry', own)).toMatchObject({ accepted: 1, refused: 2 });
    expect(reasonsOf(lineOf('sentry', null))).toEqual({ invalid_dsn: 1 });
    expect(reasonsOf(lineOf('other', own))).toEqual({ not_found: 1 });
    expect(lineOf('pings', prefixOf(pings.rawKey))).toMatchObject({ accepted: 1, refused: 1 });
    expect(lineOf('hooks', hook.prefix)).toMatchObject({ keyName: 'GitHub', accepted: 2, refused: 1 });
    const sums = (of: 'accepted' | 'refused', rows: Record<string, number>[]) =>
      rows.reduce((sum, row) => sum + (row[of] ?? 0), 0);
    for (const of of ['accepted', 'refused'] as const)
      expect(sums(of, counted.hours)).toBe(sums(of, counted.keys));
  });

  it('names the key that was revoked before its request', () => {
    expect(lineOf('events', revoked.prefix)).toMatchObject({
      keyName: 'Former',
      isRevoked: true,
      accepted: 1,
      refusals: [{ reason: 'invalid_api_key', quantity: 1 }],
    });
  });

  it('shows how a request was sent, with its reason', () => {
    const sample = counted.newest.find(
      ({ reason, isAuthenticated }: Record<string, unknown>) => reason === 'invalid_dsn' && !isAuthenticated,
    );
    expect(sample).toMatchObject({
      protocol: 'sentry',
      method: 'POST',
      path: `/api/${project.number}/envelope/?…`,
      status: 403,
      isAuthenticated: false,
    });
    expect(sample.detail).toMatch(/^The DSN is not valid/);
    const shown = new Map(sample.headers.map((header: { name: string }) => [header.name, header]));
    expect(shown.get('content-encoding')).toEqual({ name: 'content-encoding', value: 'gzip', length: 4 });
    expect(shown.get('sentry_client')).toMatchObject({ value: 'sentry.python/2.19.0' });
    expect(shown.get('x-sentry-auth')).toMatchObject({ value: null, length: 41 });
  });

  it('shows the version in a path', () => {
    expect(counted.newest.map(({ path }: { path: string }) => path)).toContain('/v1/metrics');
  });

  it('keeps no secret, no body and no id of a sender', async () => {
    const { rows } = await service.database.pool.query(
      `SELECT s.* FROM request_samples s JOIN projects p ON p.id = s.project_id WHERE p.number = $1`,
      [project.number],
    );
    const text = JSON.stringify(rows) + JSON.stringify(counted);
    expect(rows.length).toBeGreaterThan(5);
    for (const key of [project.apiKey, revoked.rawKey, pings.rawKey, mistype(project.apiKey)])
      expect(text).not.toContain(key.slice(0, 16));
    for (const secret of [SECRET, 'order-17', 'lost-1', lostId, 'delivery-9'])
      expect(text).not.toContain(secret);
  });

  it('shows a request to the project of its key alone, whatever number it names', async () => {
    const { keys, newest } = await requestsOf(stranger, foreign.id);
    expect([keys, newest]).toEqual([[], []]);
    expectProblem(await stranger.api.get(`/projects/${project.id}/requests`), 'not_found');
    expectProblem(await stranger.api.get(`/projects/${project.id}/requests/find?id=order-17`), 'not_found');
  });
});

describe('the search for a request', () => {
  it.each([
    ['its job id', () => accepted[0]?.body.jobId],
    ['its event id', () => accepted[0] && eventIdOf(accepted[0])],
    ['its idempotency key', () => 'order-17'],
    ['the event id of Sentry', () => sentryId],
    [
      'the event id of Sentry with dashes',
      () => sentryId.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
    ],
  ])('finds a stored event by %s', async (_, id) => {
    await service.settled();
    const found = await findBy(id() ?? '');
    expect(found.state).toBe('stored');
    expect(found.steps.map(({ step }: { step: string }) => step).slice(0, 2)).toEqual(['accepted', 'stored']);
    expect((await user.api.get(`/events/${found.eventId}`)).body.groupId).toBe(found.groupId);
  });

  it.each([
    ['the id of its answer', () => invalid.body.requestId],
    ['its idempotency key', () => 'lost-1'],
    ['the event id of Sentry in a compressed body', () => lostId],
    ['its delivery id', () => 'delivery-9'],
    ['the fingerprint of its alert', () => '62d8e2a1c94b7f03'],
    ['the id of its CloudEvent in a header', () => 'ce 1'],
    ['the id of its CloudEvent on a line of the body', () => 'ü:2'],
  ])('finds a refused request by %s, with the reason', async (_, id) => {
    const found = await findBy(id());
    expect(found).toMatchObject({ state: 'refused', jobId: null, steps: [{ step: 'refused' }] });
    expect(found.steps[0].detail).toMatch(/\w{3}.*\.$/);
  });

  it('finds the CloudEvents of all sources by the id that their senders gave them, the newest with its steps', async () => {
    const sent = [await sendCloudEvent(cloudEventOf('/a')), await sendCloudEvent(cloudEventOf('/b'))];
    await service.settled();
    const [first, last] = sent.map(({ body }) => body.jobId);
    const found = await findBy('urn:order/4711');
    expect(found).toMatchObject({
      state: 'stored',
      jobId: last,
      steps: [{ step: 'accepted' }, { step: 'stored' }],
    });
    expect(found.alike).toEqual([{ jobId: first, acceptedAt: expect.any(String) }]);
    for (const other of ['urn:order/471', 'urn:order/4711.', 'https://shop.example/a', '', '%'].filter(
      Boolean,
    ))
      expect(await findBy(other)).toMatchObject({ state: 'unknown', alike: [] });
    expect(await findBy('urn:order/4711', stranger, foreign.id)).toMatchObject({
      state: 'unknown',
      alike: [],
    });
  });

  it('shows no request of an earlier job with the same id as a repeat of the newest', async () => {
    const { pool } = service.database;
    const [projectId, id] = [toUuid('proj', project.id) ?? '', 'two-sources'];
    const nowMs = service.context.clock.now();
    const ages = { '/a': 10 * 60_000, '/b': 5 * 60_000 };
    for (const [source, ageMs] of Object.entries(ages)) {
      const claim = {
        projectId,
        key: cloudEventClaimKey({ source, id }),
        jobId: newUuid(nowMs),
        answer: null,
      };
      await insertClaims(pool, [claim], new Date(nowMs - ageMs));
    }
    const sampleOf = (ageMs: number) => ({
      projectId,
      keyId: null,
      isAuthenticated: true,
      protocol: 'cloudevents',
      method: 'POST',
      path: '/ingest/cloudevents',
      status: 202,
      keyPrefix: null,
      reason: null,
      detail: null,
      requestId: null,
      headers: [],
      namedIds: [hashNamedId(id)],
      ageMs,
    });
    await insertSamples(pool, Object.values(ages).map(sampleOf));
    expect(await findBy(id)).toMatchObject({ steps: [{ step: 'accepted' }], alike: [{}] });
    await insertSamples(pool, [sampleOf(60_000)]);
    expect(await findBy(id)).toMatchObject({ steps: [{ step: 'accepted' }, { step: 'repeated' }] });
  });

  it('finds the events of an alert by its fingerprint and by the key of its group', async () => {
    for (const status of ['firing', 'firing', 'resolved'])
      expect((await notify(alertOf(status))).status).toBe(202);
    await notify(alertOf('firing', 'f0a1'));
    await service.settled();
    const { eventId, alike, state } = await findBy('f0a1"%');
    expect([state, alike.length]).toEqual(['stored', 1]);
    expect((await user.api.get(`/events/${eventId}`)).body).toMatchObject({
      payload: { status: 'resolved' },
    });
    const byGroup = await findBy(groupKey);
    expect(byGroup).toMatchObject({ state: 'stored', alike: [{}, {}] });
    expect(await findBy(groupKey, stranger, foreign.id)).toMatchObject({ state: 'unknown', alike: [] });
  });

  it('lists at most ten earlier jobs of an id', async () => {
    for (let hour = 1; hour <= 13; hour++) {
      const at = new Date(service.context.clock.now() - hour * 3_600_000).toISOString();
      await notify({ ...alertOf('firing', 'flapping'), startsAt: at });
    }
    const { alike, state } = await findBy('flapping');
    expect([state === 'unknown', alike.length]).toEqual([false, 10]);
  });

  it('finds an accepted request that has no event of its id', async () => {
    expect(await findBy('delivery-10')).toMatchObject({ state: 'accepted', steps: [{ step: 'accepted' }] });
  });

  it('finds nothing of another tenant', async () => {
    for (const id of [accepted[0]?.body.jobId, 'order-17', sentryId, invalid.body.requestId, lostId])
      expect(await findBy(id, stranger, foreign.id)).toMatchObject({
        state: 'unknown',
        jobId: null,
        steps: [],
      });
  });

  it('says that an accepted event is no longer stored', async () => {
    const headers = { 'idempotency-key': 'removed' };
    const sent = await project.ingest.post('/ingest/events', anEvent(), { headers });
    await service.settled();
    await service.database.pool.query('DELETE FROM events WHERE type = $1 AND id = $2::uuid', [
      'checkout',
      toUuid('evt', eventIdOf(sent)),
    ]);
    expect(await findBy('removed')).toMatchObject({ state: 'removed', steps: [{ step: 'accepted' }] });
  });

  it('says what was changed in an event on its way, and which secrets were replaced', async () => {
    const sent = await project.ingest.post('/ingest/events', anEvent({ payload: { password: SECRET } }));
    await service.settled();
    expect(await findBy(sent.body.jobId)).toMatchObject({ scrubbed: { key: 1 } });
  });

  it('says so when the queue cannot be searched in time', async () => {
    const other = await beginHeldTransaction(service.database.pool);
    try {
      await other.query('LOCK TABLE queue IN ACCESS EXCLUSIVE MODE');
      const found = await findAtOnce('job_01h455vb4pex5vsknk084sn02q');
      expect(found).toMatchObject({ state: 'searching', steps: [] });
    } finally {
      await other.query('ROLLBACK');
      other.release();
    }
  });

  it('searches the queue in a place of expensive reads, with one time limit for all of its statements', async () => {
    const { pool } = service.database;
    const projectId = toUuid('proj', project.id) ?? '';
    const { rows } = await pool.query<{ organizationId: string }>(
      'SELECT organization_id AS "organizationId" FROM projects WHERE id = $1',
      [projectId],
    );
    const [{ organizationId } = { organizationId: '' }] = rows;
    const reads: ExpensiveRead[] = [];
    const run: ExpensiveReads['run'] = (read, work) => {
      reads.push(read);
      return work(pool, read.signal);
    };
    const { state } = await findTrace(
      {
        pool,
        clock: service.context.clock,
        events: { find: async () => null, on: eventsOn },
        reads: { run },
      },
      { id: projectId, organizationId },
      { id: 'job_01h455vb4pex5vsknk084sn02q', signal: new AbortController().signal },
    );
    expect(state).toBe('unknown');
    expect(reads).toMatchObject([{ organizationId, maxRunMs: 500 }]);
  });

  it('finds an event that is stored while it is searched for', async () => {
    const { pool } = service.database;
    const sent = await project.ingest.post('/ingest/events', anEvent());
    await service.settled();
    const organizationId = toUuid('org', user.organizationId) ?? '';
    const reads = new ExpensiveReads(pool, pool);
    const reader = createEventReader(pool, reads, async () => null);
    let finds = 0;
    const { state, eventId } = await findTrace(
      {
        pool,
        clock: service.context.clock,
        events: { find: async (...event) => (finds++ === 0 ? null : reader.find(...event)), on: eventsOn },
        reads,
      },
      { id: toUuid('proj', project.id) ?? '', organizationId },
      { id: sent.body.jobId, signal: new AbortController().signal },
    );
    expect({ state, eventId, finds }).toEqual({ state: 'stored', eventId: eventIdOf(sent), finds: 2 });
  });

  it('refuses an answer of more than a thousand characters as an id', async () => {
    expectProblem(
      await user.api.get(`/projects/${project.id}/requests/find?id=${'x'.repeat(1_025)}`),
      'validation_failed',
    );
  });

  it('knows the refusals of the hot route', () => {
    expect(refusals.map(({ status }) => status)).toEqual([400, 400]);
  });
});
