import { createHmac, randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { toUuid } from '../../src/platform/ids.ts';
import { updateHookRefusal } from '../../src/tenancy/api-keys/hooks/queries.ts';
import { ApiClient } from '../support/client.ts';
import { StillClock } from '../support/clock.ts';
import { expectProblem } from '../support/problems.ts';
import { startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait.ts';

const service = await startTestService();
const clock = new StillClock();
/** A service whose limits are refilled by its clock. */
const limited = await startTestService({ clock, roles: ['ingestion', 'management'] });
const SECRET = 'whsec_0123456789abcdef';
const STANDARD_SECRET = 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** Makes a hook, and what its owner sees of it. */
async function setUp(kind: string, secret?: string, at = service) {
  const user = await at.signUp();
  const project = await user.createProject();
  const path = `/projects/${project.id}/hooks`;
  const { id, url, secret: made } = (await user.api.post(path, { kind, ...(secret && { secret }) })).body;
  const client = new ApiClient(at.ingestionUrl);
  const address = new URL(url).pathname;
  return {
    user,
    project,
    path: `${path}/${id}`,
    address,
    made,
    post: (body: string | Buffer, headers: Record<string, string>) => client.post(address, body, { headers }),
    shown: async () => (await user.api.get(path)).body[0],
    events: (count: number) =>
      waitFor(`${count} events`, async () => {
        const { body } = await user.api.get(`/events?project_id=${project.id}`);
        return body.length === count && body;
      }),
    read: async (eventId: string) => (await user.api.get(`/events/${eventId}`)).body,
  };
}

const now = () => Math.floor(service.context.clock.now() / 1_000);
const signStripe = (body: string, secret = SECRET, time = now()) => ({
  'stripe-signature': `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`,
  'content-type': 'application/json',
});
const signGithub = (event: string, body: string, secret: string, type = 'application/json') => ({
  'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
  'x-github-event': event,
  'x-github-delivery': randomUUID(),
  'content-type': type,
});
const signStandard = (body: string, secret: string, id: string, prefix = 'webhook') => ({
  [`${prefix}-id`]: id,
  [`${prefix}-timestamp`]: String(now()),
  [`${prefix}-signature`]: new Webhook(secret).sign(id, new Date(now() * 1_000), body),
  'content-type': 'text/plain',
});
const charge = (id: string, fields: object = {}) =>
  JSON.stringify({
    id,
    object: 'event',
    type: 'charge.failed',
    livemode: true,
    created: now() - 3 * 86_400,
    data: {
      object: {
        id: 'ch_1',
        object: 'charge',
        amount: 11_378,
        currency: 'eur',
        customer: 'cus_1',
        failure_message: 'Your card was declined.',
        metadata: { order_id: 'ord_1' },
      },
    },
    ...fields,
  });

it('refuses with 503 until the secret is known, stores nothing, and shows when the last attempt came', async () => {
  const hook = await setUp('stripe');
  const body = charge('evt_wait');
  const refused = await hook.post(body, signStripe(body));
  expectProblem(refused, 'unavailable');
  expect(refused.body.detail).toBe('The hook waits for its secret: set it on the project’s page.');
  expect(refused.headers.get('retry-after')).toBe('60');
  expect(await hook.shown()).toMatchObject({
    secretCount: 0,
    lastUsedAt: null,
    lastRefusedAt: expect.any(String),
    lastRefusal: refused.body.detail,
  });
  await hook.user.api.patch(hook.path, { secret: SECRET });
  expect((await hook.post(body, signStripe(body))).status).toBe(202);
  expect(await hook.events(1)).toHaveLength(1);
});

it('forgets a refusal once another secret is set, and keeps it when the hook is renamed', async () => {
  const hook = await setUp('stripe', SECRET);
  const body = charge('evt_1');
  expectProblem(await hook.post(body, signStripe(body, 'whsec_another')), 'invalid_signature');
  const { id, lastRefusal } = await hook.shown();
  await hook.user.api.patch(hook.path, { name: 'Shop' });
  expect(await hook.shown()).toMatchObject({ lastRefusal, lastRefusedAt: expect.any(String) });
  const none = { lastRefusal: null, lastRefusedAt: null };
  const changed = await hook.user.api.patch(hook.path, { secret: 'whsec_another' });
  expect(changed.body).toMatchObject(none);
  // A request that was verified by the former secret, and ends after the change.
  const former = { id: toUuid('hook', id) ?? '', secrets: null };
  const refusal = { reason: 'The signature is wrong.', at: new Date(service.context.clock.now()) };
  await updateHookRefusal(service.database.pool, former, refusal);
  expect(await hook.shown()).toMatchObject(none);
});

it('stores a failed charge of Stripe as a failed payment, once for its id, however old its event is', async () => {
  const hook = await setUp('stripe', SECRET);
  const body = charge('evt_1');
  const first = await hook.post(body, signStripe(body));
  expect(first).toMatchObject({ status: 202, body: { status: 'queued' } });
  // Stripe signs each attempt again.
  const again = await hook.post(body, signStripe(body, SECRET, now() - 10));
  expect(again.body).toEqual(first.body);
  const [event] = await hook.events(1);
  expect(await hook.read(event.id)).toMatchObject({
    type: 'payment',
    severity: 'error',
    source: 'stripe',
    message: 'charge.failed: 113.78 EUR, Your card was declined.',
    correlation: { order_id: 'ord_1', customer_id: 'cus_1', charge_id: 'ch_1' },
    payload: { type: 'charge.failed', data: { object: { amount: 11_378, currency: 'eur' } } },
    changed: [],
  });
  expect(Date.parse(event.capturedAt)).toBeLessThan(service.context.clock.now() - 2 * 86_400_000);
  const ledger = (await hook.user.api.get(`/projects/${hook.project.id}/ledger`)).body;
  expect(ledger).toMatchObject({ accepted: 2, stored: 1, duplicate: 1 });
});

it('reads other events of Stripe: disputes, test mode, thin events', async () => {
  const hook = await setUp('stripe', SECRET);
  const send = async (body: string) => expect((await hook.post(body, signStripe(body))).status).toBe(202);
  await send(charge('evt_d', { type: 'charge.dispute.created', livemode: false }));
  const thin = {
    id: 'evt_thin',
    object: 'v2.core.event',
    type: 'v1.billing.meter.error_report_triggered',
    livemode: true,
    created: '2020-01-01T00:00:00.000Z',
    related_object: { id: 'mtr_1', type: 'billing.meter', url: '/v1/billing/meters/mtr_1' },
  };
  await send(JSON.stringify(thin));
  const [newest, oldest] = await hook.events(2);
  expect(await hook.read(newest.id)).toMatchObject({
    type: 'charge.dispute.created',
    severity: 'warn',
    source: 'stripe test',
  });
  expect(await hook.read(oldest.id)).toMatchObject({
    type: thin.type,
    severity: 'info',
    message: `${thin.type}: mtr_1`,
    correlation: { object_id: 'mtr_1' },
    changed: ['clock'],
  });
});

it('takes the payments of the test mode of Stripe for development, which a project watches only if it is its own', async () => {
  const hook = await setUp('stripe', SECRET);
  for (const [id, livemode] of [
    ['evt_live', true],
    ['evt_test', false],
  ] as const) {
    const body = charge(id, { livemode });
    expect((await hook.post(body, signStripe(body))).status).toBe(202);
  }
  const events = await hook.events(2);
  const read = events.map(({ source, environment }: Record<string, string>) => [source, environment]);
  expect(read.toSorted()).toEqual([
    ['stripe test', 'development'],
    ['stripe', 'production'],
  ]);
  const environments = (await hook.user.api.get(`/projects/${hook.project.id}/environments`)).body;
  expect(environments).toMatchObject([
    { name: 'production', isWatched: true },
    { name: 'development', isWatched: false },
  ]);
});

it('takes two secrets while one is replaced, and none that was left out', async () => {
  const hook = await setUp('stripe', SECRET);
  await hook.user.api.patch(hook.path, { secrets: ['whsec_the_new_one', SECRET] });
  const statusOf = async (id: string, secret: string) => {
    const body = charge(id);
    return (await hook.post(body, signStripe(body, secret))).status;
  };
  expect(await statusOf('evt_old', SECRET)).toBe(202);
  expect(await statusOf('evt_new', 'whsec_the_new_one')).toBe(202);
  await hook.user.api.patch(hook.path, { secret: 'whsec_the_new_one' });
  expect(await statusOf('evt_gone', SECRET)).toBe(401);
});

it('refuses a wrong, missing or old signature with 401 and shows the refusal', async () => {
  const hook = await setUp('stripe', SECRET);
  const body = charge('evt_1');
  for (const headers of [
    signStripe(`${body} `),
    signStripe(body, 'whsec_another'),
    signStripe(body, SECRET, now() - 600),
    { 'content-type': 'application/json' },
  ]) {
    const refused = await hook.post(body, headers);
    expectProblem(refused, 'invalid_signature');
    expect((await hook.shown()).lastRefusal).toBe(refused.body.detail);
  }
  const unreadable = 'no JSON';
  expectProblem(await hook.post(unreadable, signStripe(unreadable)), 'malformed_json');
  const nameless = '{"type":"charge.failed"}';
  expectProblem(await hook.post(nameless, signStripe(nameless)), 'validation_failed');
  expectProblem(await hook.post('', signStripe('')), 'malformed_json');
  const ledger = (await hook.user.api.get(`/projects/${hook.project.id}/ledger`)).body;
  expect(ledger).toMatchObject({ accepted: 0 });
});

it('knows neither a deleted hook, nor one of a deleted project, nor a mistyped or foreign token', async () => {
  const [deleted, orphan] = [await setUp('stripe', SECRET), await setUp('stripe', SECRET)];
  await deleted.user.api.delete(deleted.path);
  await orphan.user.api.delete(`/projects/${orphan.project.id}`);
  const body = charge('evt_1');
  for (const { post } of [deleted, orphan]) expectProblem(await post(body, signStripe(body)), 'not_found');
  const client = new ApiClient(service.ingestionUrl);
  const { address, project } = await setUp('stripe', SECRET);
  for (const token of [address.slice(0, -1), `${address}0`, `/hooks/${project.apiKey}`])
    expectProblem(await client.post(token, body, { headers: signStripe(body) }), 'not_found');
  const token = address.split('/').at(-1) ?? '';
  const asKey = await client.post('/ingest/events', {}, { headers: { 'x-api-key': token } });
  expectProblem(asKey, 'invalid_api_key');
});

it('replaces what cannot be stored in a signed body, and says so on the event', async () => {
  const hook = await setUp('stripe', SECRET);
  const object = { id: 'ch_2', object: 'charge', failure_message: 'a\0b\ud800c' };
  const body = charge('evt_nul', { data: { object } });
  expect((await hook.post(body, signStripe(body))).status).toBe(202);
  const [event] = await hook.events(1);
  expect(await hook.read(event.id)).toMatchObject({
    message: 'charge.failed: a\ufffdb\ufffdc',
    changed: ['fields'],
  });
});

it('says on an event that a text of it was cut', async () => {
  const stripe = await setUp('stripe', SECRET);
  const long = 'x'.repeat(33_000);
  const declined = charge('evt_long', { data: { object: { id: 'ch_3', failure_message: long } } });
  await stripe.post(declined, signStripe(declined));
  const github = await setUp('github');
  const push = JSON.stringify({ ref: long, repository: { full_name: 'shop/api' } });
  await github.post(push, signGithub('push', push, github.made));
  const standard = await setUp('standard', STANDARD_SECRET);
  const paid = JSON.stringify({ type: long });
  await standard.post(paid, signStandard(paid, STANDARD_SECRET, 'msg_long'));
  for (const hook of [stripe, github, standard]) {
    const [event] = await hook.events(1);
    expect((await hook.read(event.id)).changed).toContain('fields');
  }
});

it('answers and stores the ping of GitHub, signed with the secret that the service made, also as a form', async () => {
  const hook = await setUp('github');
  const json = JSON.stringify({ zen: 'Design for failure.', repository: { full_name: 'shop/api' } });
  expect((await hook.post(json, signGithub('ping', json, hook.made))).status).toBe(202);
  const form = new URLSearchParams({ payload: json }).toString();
  const headers = signGithub('ping', form, hook.made, 'application/x-www-form-urlencoded');
  const first = await hook.post(form, headers);
  expect(first.status).toBe(202);
  expect((await hook.post(form, headers)).body).toEqual(first.body);
  const events = await hook.events(2);
  for (const event of events)
    expect(event).toMatchObject({ type: 'ping', severity: 'info', source: 'shop/api' });
});

it('rates failed runs by their branch, and not by a fork’s branch of the same name', async () => {
  const hook = await setUp('github');
  const repository = { full_name: 'shop/api', default_branch: 'main' };
  const run = async (fields: object) => {
    const workflow_run = {
      name: 'CI',
      head_branch: 'main',
      head_sha: 'abc',
      conclusion: 'failure',
      html_url: 'https://github.com/shop/api/actions/runs/1',
      head_repository: { full_name: 'shop/api' },
      ...fields,
    };
    const body = JSON.stringify({ action: 'completed', workflow_run, repository, sender: { login: 'ada' } });
    const { jobId } = (await hook.post(body, signGithub('workflow_run', body, hook.made))).body;
    return jobId.replace('job_', 'evt_');
  };
  const ids = [
    await run({}),
    await run({ head_branch: 'fix' }),
    await run({ head_repository: { full_name: 'eve/api' } }),
    await run({ conclusion: 'success' }),
  ];
  await hook.events(4);
  const events = await Promise.all(ids.map((id) => hook.read(id)));
  expect(events.map(({ severity }) => severity)).toEqual(['error', 'warn', 'warn', 'info']);
  expect(events[0]).toMatchObject({
    type: 'workflow_run.completed',
    message: 'Workflow CI on main: failure by ada: https://github.com/shop/api/actions/runs/1',
    correlation: { head_sha: 'abc', sender: 'ada' },
  });
});

it('records a successful deployment as a deploy, of its tag or of the commit of the default branch', async () => {
  const hook = await setUp('github');
  const deploy = async (ref: unknown, state = 'success') => {
    const body = JSON.stringify({
      deployment_status: { state, environment: 'Production' },
      deployment: { ref, sha: 'abc123' },
      repository: { full_name: 'shop/api', default_branch: 'main' },
    });
    expect((await hook.post(body, signGithub('deployment_status', body, hook.made))).status).toBe(202);
  };
  await deploy('v1.4.2');
  await deploy('v1.4.2');
  await deploy('main');
  await deploy('v1.4.3', 'failure');
  // No text, and nothing that can become one.
  await deploy({ toString: 1, valueOf: 1 }, 'failure');
  await hook.events(2);
  const { body } = await hook.user.api.get(`/projects/${hook.project.id}/deploys`);
  const deploys = body.map(({ release, environment }: Record<string, string>) => [release, environment]);
  expect(deploys.toSorted()).toEqual([
    ['abc123', 'production'],
    ['v1.4.2', 'production'],
  ]);
});

it('stores what is signed by Standard Webhooks as a webhook of the hook’s name', async () => {
  const hook = await setUp('standard', STANDARD_SECRET);
  const body = JSON.stringify({ type: 'invoice.paid', data: { order_id: 'ord_1', total: 5 } });
  for (const prefix of ['webhook', 'svix'])
    expect((await hook.post(body, signStandard(body, STANDARD_SECRET, 'msg_1', prefix))).status).toBe(202);
  const [event] = await hook.events(1);
  expect(await hook.read(event.id)).toMatchObject({
    type: 'webhook',
    severity: 'info',
    source: 'Standard Webhooks',
    message: 'invoice.paid',
    correlation: { order_id: 'ord_1' },
  });
});

it('reads no compressed body, and none beyond the limit', async () => {
  const hook = await setUp('stripe', SECRET);
  const body = charge('evt_1');
  const compressed = { ...signStripe(body), 'content-encoding': 'gzip' };
  expectProblem(await hook.post(body, compressed), 'unsupported_encoding');
  const large = charge('evt_large', { pad: 'x'.repeat(1_100_000) });
  expectProblem(await hook.post(large, signStripe(large)), 'body_too_large');
});

it('takes 600 requests at once and then 20 a second, and refuses others by the address alone', async () => {
  const [hook, other] = [await setUp('stripe', SECRET, limited), await setUp('stripe', SECRET, limited)];
  const unsigned = async (requests: number) => {
    const answers = await Promise.all(Array.from({ length: requests }, () => hook.post('{}', {})));
    return answers.map(({ status }) => status);
  };
  for (let sent = 0; sent < 600; sent += 50) expect(new Set(await unsigned(50))).toEqual(new Set([401]));
  const body = charge('evt_1');
  const signed = signStripe(body, SECRET, Math.floor(clock.now() / 1_000));
  const refused = await hook.post(body, signed);
  expectProblem(refused, 'too_many_deliveries');
  expect(refused.headers.get('retry-after')).toBe('1');
  expect((await hook.shown()).lastRefusal).not.toBe(refused.body.detail);
  expect((await other.post(body, signed)).status).toBe(202);
  clock.advance(1_000);
  expect((await hook.post(body, signed)).status).toBe(202);
  const statuses = await unsigned(20);
  expect([401, 429].map((status) => statuses.filter((each) => each === status).length)).toEqual([19, 1]);
});
