import { describe, expect, it } from 'vitest';
import { startTestService, type TestUser } from '../support/service.ts';
import { waitFor } from '../support/wait.ts';
import { startWebhookTarget, verify, type WebhookTarget } from '../support/webhook-target.ts';

const service = await startTestService({
  environment: { OUTBOUND_ALLOW: '127.0.0.1', PUBLIC_URL: 'https://tocsin.example.com' },
});

/** An OWNER with a project, a webhook, and a route to it. */
async function setUp(route: object = {}) {
  const user = await service.signUp();
  const project = await user.createProject();
  const webhook = await startWebhookTarget();
  const { id: targetId, secret } = await createTarget(user, webhook);
  const created = await user.api.post('/notification-routes', { targetId, projectId: null, ...route });
  expect(created.status).toBe(201);
  return { user, project, webhook, targetId, secret, routeId: created.body.id };
}

async function createTarget(user: TestUser, webhook: WebhookTarget, name = 'Pager') {
  const created = await user.api.post('/notification-targets', {
    kind: 'webhook',
    name,
    config: { url: webhook.url },
  });
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  return created.body as { id: string; secret: string };
}

async function openIncident(user: TestUser, projectId: string, severity = 'error', title = 'Checkout fails') {
  const { status, body } = await user.api.post('/incidents', { title, severity, projectId });
  expect(status).toBe(201);
  return body as { id: string };
}

const arrival = (webhook: WebhookTarget, count: number) =>
  waitFor(`${count} messages`, async () => webhook.received.length >= count);

interface Decided {
  change: string;
  decisions: { decision: string }[];
}

describe('a webhook', () => {
  it('receives an incident that opens, gets worse and is resolved, each with a signature', async () => {
    const { user, project, webhook, secret } = await setUp();
    const { id } = await openIncident(user, project.id);
    await arrival(webhook, 1);
    await user.api.patch(`/incidents/${id}`, { severity: 'critical' });
    await arrival(webhook, 2);
    await user.api.patch(`/incidents/${id}`, { status: 'resolved' });
    await arrival(webhook, 3);
    expect(webhook.received.map(({ type }) => type)).toEqual([
      'incident.opened',
      'incident.worse',
      'incident.resolved',
    ]);
    for (const message of webhook.received) {
      verify(message, secret);
      expect(message.data).toMatchObject({
        incident: { id, title: 'Checkout fails', projectId: project.id },
        project: { id: project.id, name: 'Shop', environment: 'production' },
        url: `https://tocsin.example.com/app/incidents/${id}`,
        why: 'A route sends it: all projects, severity error or worse, opened, worse, resolved.',
      });
    }
    expect(new Set(webhook.received.map((message) => message.id)).size).toBe(3);
    expect(webhook.received[2]?.data['incident']).toMatchObject({ status: 'resolved', severity: 'critical' });
  });

  it('receives what its route chooses alone, and the log says why not', async () => {
    const { user, project, webhook } = await setUp({ minSeverity: 'critical', changes: ['opened'] });
    const { id: mild } = await openIncident(user, project.id, 'warn');
    const { id: severe } = await openIncident(user, project.id, 'critical');
    await arrival(webhook, 1);
    await user.api.patch(`/incidents/${severe}`, { status: 'resolved' });
    const why = await user.api.get(`/incidents/${mild}/notification-decisions`);
    expect(why.body).toMatchObject([
      {
        change: 'opened',
        decisions: [
          { targetName: 'Pager', decision: 'skipped', reason: expect.stringMatching(/severity is below/) },
        ],
      },
    ]);
    const decided = await user.api.get(`/incidents/${severe}/notification-decisions`);
    expect(decided.body.map((each: Decided) => [each.change, each.decisions[0]?.decision])).toEqual([
      ['resolved', 'skipped'],
      ['opened', 'deliver'],
    ]);
    expect(webhook.received.map(({ data }) => data['incident'].id)).toEqual([severe]);
    expect((await user.api.get(`/incidents/${mild}/deliveries`)).body).toEqual([]);
    const { body: log } = await user.api.get(`/incidents/${severe}/deliveries`);
    expect(log).toMatchObject([
      {
        targetName: 'Pager',
        kind: 'webhook',
        state: 'delivered',
        status: 200,
        body: 'ok',
        attempts: 1,
        reason: null,
      },
    ]);
  });

  it('receives new groups, where the route asks for them', async () => {
    const { project, webhook } = await setUp({ changes: ['group_new', 'group_regressed'] });
    await project.ingest.post('/ingest/server-error', {
      status_code: 500,
      path: '/pay',
      method: 'POST',
      error_message: 'TypeError: x is undefined',
    });
    await arrival(webhook, 1);
    expect(webhook.received[0]).toMatchObject({
      type: 'group.new',
      data: { group: { state: 'open', severity: 'error' } },
    });
  });

  it('receives a message again where its answer failed, with the same webhook-id and a new signature', async () => {
    const { user, project, webhook, secret, targetId } = await setUp();
    let answers = 0;
    webhook.answer = (_, response) => {
      response.statusCode = answers++ === 0 ? 503 : 200;
      if (response.statusCode === 503) response.setHeader('retry-after', '1');
      response.end();
    };
    await openIncident(user, project.id);
    await arrival(webhook, 2);
    const [first, second] = webhook.received;
    expect(second?.id).toBe(first?.id);
    expect(second?.body.replace(/"timestamp":"[^"]*"/, '')).toBe(
      first?.body.replace(/"timestamp":"[^"]*"/, ''),
    );
    if (second) verify(second, secret);
    await waitFor('the log', async () => {
      const { body } = await user.api.get(`/notification-targets/${targetId}/deliveries`);
      return body[0]?.state === 'delivered' && body[0].attempts === 2;
    });
  });

  it('receives nothing for notes and for acknowledging', async () => {
    const { user, project, webhook, targetId } = await setUp();
    const { id } = await openIncident(user, project.id);
    await arrival(webhook, 1);
    await user.api.post(`/incidents/${id}/notes`, { note: 'Looking' });
    await user.api.patch(`/incidents/${id}`, { status: 'investigating' });
    await user.api.patch(`/incidents/${id}`, { status: 'resolved' });
    await arrival(webhook, 2);
    expect(webhook.received.map(({ type }) => type)).toEqual(['incident.opened', 'incident.resolved']);
    const { body } = await user.api.get(`/notification-targets/${targetId}/deliveries`);
    expect(body.map((each: Decided) => each.change)).toEqual(['resolved', 'opened']);
  });
});

describe('the test button', () => {
  it('shows what the target answers, by the code that sends', async () => {
    const { user, webhook, targetId, secret } = await setUp();
    webhook.answer = (_, response) => response.writeHead(418).end('short and stout');
    const failed = await user.api.post(`/notification-targets/${targetId}/test`);
    expect(failed.body).toMatchObject({
      ok: false,
      status: 418,
      body: 'short and stout',
      reason: 'Answered 418.',
    });
    webhook.answer = (_, response) => response.end('fine');
    const { body } = await user.api.post(`/notification-targets/${targetId}/test`);
    expect(body).toMatchObject({ ok: true, status: 200, body: 'fine', reason: null });
    expect(body.elapsedMs).toBeGreaterThanOrEqual(0);
    for (const message of webhook.received) verify(message, secret);
    expect(webhook.received.at(-1)?.type).toBe('test');
  });

  it('refuses to reach the service’s own network', async () => {
    const { user } = await setUp();
    for (const url of [
      'http://127.0.0.2:1/',
      'http://169.254.169.254/latest/',
      'http://[::ffff:10.0.0.1]/',
    ]) {
      const { body } = await user.api.post('/notification-targets', {
        kind: 'webhook',
        name: 'Inside',
        config: { url },
      });
      const tested = await user.api.post(`/notification-targets/${body.id}/test`);
      expect(tested.body).toMatchObject({
        ok: false,
        status: null,
        reason: expect.stringMatching(/OUTBOUND_ALLOW/),
      });
    }
  });
});

describe('the endpoints of notifications', () => {
  it('answers the secret at the creation alone, and stores it encrypted', async () => {
    const { user, targetId, secret, webhook } = await setUp();
    const all = JSON.stringify([
      await user.api.get('/notification-targets'),
      await user.api.patch(`/notification-targets/${targetId}`, { name: 'Renamed' }),
      await user.api.get('/organizations/audit'),
    ]);
    expect(secret).toMatch(/^whsec_/);
    expect(all).not.toContain(secret);
    expect(all).not.toContain(webhook.url);
    expect(all).toContain(new URL(webhook.url).host);
    const { rows } = await service.database.pool.query('SELECT * FROM notification_targets');
    expect(JSON.stringify(rows)).not.toContain(secret.slice(6));
    expect(JSON.stringify(rows)).not.toContain('/hook');
  });

  it('lets members read, and OWNERs alone change', async () => {
    const { user, targetId, routeId } = await setUp();
    const member = await service.signUp('Grace');
    await user.api.post(`/organizations/${user.organizationId}/members`, { userId: member.id });
    expect((await member.api.get('/notification-targets')).body).toMatchObject([{ id: targetId }]);
    expect((await member.api.get('/notification-routes')).body).toMatchObject([{ id: routeId }]);
    for (const [method, path, body] of [
      [
        'post',
        '/notification-targets',
        { kind: 'webhook', name: 'x', config: { url: 'https://example.com' } },
      ],
      ['patch', `/notification-targets/${targetId}`, { name: 'x' }],
      ['post', `/notification-targets/${targetId}/test`, undefined],
      ['post', '/notification-routes', { targetId }],
      ['patch', `/notification-routes/${routeId}`, { minSeverity: 'info' }],
      ['post', '/notifications/held', { action: 'drop' }],
    ] as const)
      expect((await member.api[method](path, body)).status, path).toBe(403);
    for (const path of [`/notification-targets/${targetId}`, `/notification-routes/${routeId}`])
      expect((await member.api.delete(path)).status).toBe(403);
  });

  it('answers what belongs to others as if it did not exist', async () => {
    const { targetId, routeId } = await setUp();
    const { user: other, project } = await setUp();
    for (const path of [
      `/notification-targets/${targetId}/deliveries`,
      `/notification-routes/${routeId}/preview`,
    ])
      expect((await other.api.get(path)).status).toBe(404);
    expect((await other.api.post('/notification-routes', { targetId })).status).toBe(404);
    expect((await other.api.post(`/notification-targets/${targetId}/test`)).status).toBe(404);
    expect((await other.api.delete(`/notification-targets/${targetId}`)).status).toBe(404);
    expect((await other.api.delete(`/notification-routes/${routeId}`)).status).toBe(404);
    const { user } = await setUp();
    expect((await user.api.get('/notification-targets')).body).toHaveLength(1);
    const own = (await user.api.get('/notification-targets')).body[0].id;
    expect(
      (await user.api.post('/notification-routes', { targetId: own, projectId: project.id })).status,
    ).toBe(404);
  });

  it('refuses configurations that could reach nothing, naming the field', async () => {
    const { user, targetId } = await setUp();
    for (const config of [
      {},
      { url: 7 },
      { url: '' },
      { url: 'ftp://example.com' },
      { url: 'https://user:pass@example.com/' },
      { url: 'http://exa mple.com' },
      { url: `https://example.com/${'x'.repeat(3_000)}` },
    ]) {
      const created = await user.api.post('/notification-targets', { kind: 'webhook', name: 'x', config });
      expect([created.status, created.body.code], JSON.stringify(config)).toEqual([400, 'validation_failed']);
      expect(created.body.errors[0].pointer).toMatch(/^\/config/);
    }
    for (const body of [
      { targetId, changes: [] },
      { targetId, changes: ['exploded'] },
      { targetId, minSeverity: 'fatal' },
      { targetId, fallbackTargetId: targetId },
    ])
      expect((await user.api.post('/notification-routes', body)).status).toBe(400);
    expect(
      (await user.api.post('/notification-targets', { kind: 'fax', name: 'x', config: {} })).status,
    ).toBe(400);
  });

  it('previews what a route would have sent, by the code that sends', async () => {
    const { user, project, webhook, routeId } = await setUp();
    const { id } = await openIncident(user, project.id);
    await openIncident(user, project.id, 'info');
    await user.api.patch(`/incidents/${id}`, { status: 'resolved' });
    await arrival(webhook, 1);
    const { body } = await user.api.get(
      `/notification-routes/${routeId}/preview?days=7&time_zone=Europe/Berlin`,
    );
    expect(body).toMatchObject({
      messages: 2,
      digests: 0,
      edits: 0,
      changes: 2,
      timeZone: 'Europe/Berlin',
      isComplete: true,
    });
    expect(body.days).toHaveLength(1);
    const bad = await user.api.get(`/notification-routes/${routeId}/preview?time_zone=Mars/Olympus`);
    expect([bad.status, bad.body.errors[0].pointer]).toEqual([400, '/time_zone']);
  });
});
