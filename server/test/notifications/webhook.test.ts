import { describe, expect, it } from 'vitest';
import { inTransaction } from '../../src/database/database.ts';
import { lockFrames } from '../../src/incidents/frame-queries.ts';
import { updateIncident } from '../../src/incidents/mutation.ts';
import { findIncident } from '../../src/incidents/queries.ts';
import { writeIncident } from '../../src/incidents/write-incident.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { toUuid } from '../../src/platform/ids.ts';
import { sendEvents } from '../risk/support.ts';
import { expectInvalid } from '../support/problems.ts';
import { startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait.ts';
import { createWebhook, signUpWithWebhook, verify } from '../support/webhook-target.ts';

const service = await startTestService({
  environment: { OUTBOUND_ALLOW: '127.0.0.1', PUBLIC_URL: 'https://tocsin.example.com' },
});

interface DecidedChange {
  change: string;
  decisions: { decision: string }[];
}

describe('a webhook', () => {
  it('receives an incident that opens, gets worse and is resolved, each with a signature', async () => {
    const { user, project, webhook, secret } = await signUpWithWebhook(service);
    const id = await user.openIncident(project.id);
    await webhook.arrived(1);
    await user.api.patch(`/incidents/${id}`, { severity: 'critical' });
    await webhook.arrived(2);
    await user.api.patch(`/incidents/${id}`, { status: 'resolved' });
    await webhook.arrived(3);
    expect(webhook.types()).toEqual(['incident.opened', 'incident.worse', 'incident.resolved']);
    for (const message of webhook.received) {
      verify(message, secret);
      expect(message.data).toMatchObject({
        incident: { id, title: 'Down', projectId: project.id },
        project: { id: project.id, name: 'Shop', environment: 'production' },
        url: `https://tocsin.example.com/app/incidents/${id}`,
        why: 'A route sends it: all projects, severity error or worse, opened, worse, resolved.',
      });
    }
    expect(new Set(webhook.received.map((message) => message.id)).size).toBe(3);
    expect(webhook.received[2]?.data['incident']).toMatchObject({ status: 'resolved', severity: 'critical' });
  });

  it('receives all numbers of an incident as of the moment of its message', async () => {
    const { user, project, webhook } = await signUpWithWebhook(service);
    await sendEvents(project.ingest, 20);
    const { id } = await user.firstIncident(project.id);
    await webhook.arrived(1);
    // The count of a round before the newest events.
    await service.database.pool.query('UPDATE incidents SET event_count = 12 WHERE id = $1', [
      toUuid('inc', id),
    ]);
    await user.api.patch(`/incidents/${id}`, { severity: 'critical' });
    await webhook.arrived(2);
    const { type, data } = webhook.received[1] ?? {};
    expect(type).toBe('incident.worse');
    expect(data?.['incident'].eventCount).toBe(20);
    expect(data?.['facts']).toContainEqual({ label: 'Events', value: '20' });
  });

  it('receives why the service finds an incident worse, as plain text after the sentence of its beginning', async () => {
    const { user, project, webhook } = await signUpWithWebhook(service);
    await sendEvents(project.ingest, 20);
    const { id } = await user.firstIncident(project.id);
    await webhook.arrived(1);
    const [began] = webhook.received[0]?.data['lines'] ?? [];
    expect(webhook.received[0]?.data['lines']).toEqual([expect.stringMatching(/\S/)]);
    const { pool } = service.database;
    const organizationId = toUuid('org', project.organizationId) ?? '';
    const note = 'Severity is now critical: `a\u202eb` errors, 400 in 30 min, usually about 20.';
    await inTransaction({ pool, clock: systemClock }, async (transaction) => {
      await lockFrames(transaction);
      const incident = await findIncident(transaction, organizationId, toUuid('inc', id) ?? '');
      if (!incident) throw new Error('It has opened.');
      const change = updateIncident(
        incident,
        { severity: 'critical' },
        { userId: null, note },
        transaction.now(),
      );
      await writeIncident(transaction, change);
    });
    await webhook.arrived(2);
    const { type, data } = webhook.received[1] ?? {};
    expect(type).toBe('incident.worse');
    expect(data?.['lines']).toEqual([
      began,
      'Severity is now critical: “a b” errors, 400 in 30 min, usually about 20.',
    ]);
    // Another rise is a person's.
    for (const severity of ['error', 'critical']) await user.api.patch(`/incidents/${id}`, { severity });
    await webhook.arrived(3);
    expect(webhook.received[2]).toMatchObject({ type: 'incident.worse', data: { lines: [began] } });
  });

  it('receives only the changes of its route, and logs why others are not sent', async () => {
    const { user, project, webhook } = await signUpWithWebhook(service, {
      route: { minSeverity: 'critical', changes: ['opened'] },
    });
    const mild = await user.openIncident(project.id, { severity: 'warn' });
    const severe = await user.openIncident(project.id, { severity: 'critical' });
    await webhook.arrived(1);
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
    expect(decided.body.map((each: DecidedChange) => [each.change, each.decisions[0]?.decision])).toEqual([
      ['resolved', 'skipped'],
      ['opened', 'deliver'],
    ]);
    expect(webhook.incidentIds()).toEqual([severe]);
    expect((await user.api.get(`/incidents/${mild}/deliveries`)).body).toEqual([]);
    // The answer is recorded after it was given.
    const log = await waitFor('the answer in the log', async () => {
      const { body } = await user.api.get(`/incidents/${severe}/deliveries`);
      return body[0]?.state !== 'pending' && body;
    });
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

  it('receives new groups if its route includes them', async () => {
    const { project, webhook } = await signUpWithWebhook(service, {
      route: { changes: ['group_new', 'group_regressed'] },
    });
    await project.ingest.post('/ingest/server-error', {
      status_code: 500,
      path: '/pay',
      method: 'POST',
      error_message: 'TypeError: x is undefined',
    });
    await webhook.arrived(1);
    expect(webhook.received[0]).toMatchObject({
      type: 'group.new',
      data: { group: { state: 'open', severity: 'error' } },
    });
  });

  it('receives a failed message again with the same webhook-id and a new signature', async () => {
    const { user, project, webhook, secret, targetId } = await signUpWithWebhook(service);
    let answers = 0;
    webhook.answer = (_, response) => {
      response.statusCode = answers++ === 0 ? 503 : 200;
      if (response.statusCode === 503) response.setHeader('retry-after', '1');
      response.end();
    };
    await user.openIncident(project.id);
    await webhook.arrived(2);
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

  it('receives nothing for notes and acknowledgements', async () => {
    const { user, project, webhook, targetId } = await signUpWithWebhook(service);
    const id = await user.openIncident(project.id);
    await webhook.arrived(1);
    await user.api.post(`/incidents/${id}/notes`, { note: 'Looking' });
    await user.api.patch(`/incidents/${id}`, { status: 'investigating' });
    await user.api.patch(`/incidents/${id}`, { status: 'resolved' });
    await webhook.arrived(2);
    expect(webhook.types()).toEqual(['incident.opened', 'incident.resolved']);
    const { body } = await user.api.get(`/notification-targets/${targetId}/deliveries`);
    expect(body.map((each: DecidedChange) => each.change)).toEqual(['resolved', 'opened']);
  });
});

describe('the test button', () => {
  it('sends a test by the code of real messages, and shows the answer', async () => {
    const { user, webhook, targetId, secret } = await signUpWithWebhook(service);
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
    const { user } = await signUpWithWebhook(service);
    for (const url of [
      'http://127.0.0.2:1/',
      'http://169.254.169.254/latest/',
      'http://[::ffff:10.0.0.1]/',
    ]) {
      const { id } = await createWebhook(user, { url });
      const tested = await user.api.post(`/notification-targets/${id}/test`);
      expect(tested.body).toMatchObject({
        ok: false,
        status: null,
        reason: expect.stringMatching(/OUTBOUND_ALLOW/),
      });
    }
  });
});

describe('the endpoints of notifications', () => {
  it('returns the secret of a webhook only when it is created, and stores it encrypted', async () => {
    const { user, targetId, secret, webhook } = await signUpWithWebhook(service);
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

  it('lets members read notification settings, and only OWNERs change them', async () => {
    const { user, targetId, route } = await signUpWithWebhook(service);
    const member = await user.addMember();
    expect((await member.api.get('/notification-targets')).body).toMatchObject([{ id: targetId }]);
    expect((await member.api.get('/notification-routes')).body).toMatchObject([{ id: route.id }]);
    for (const [method, path, body] of [
      [
        'post',
        '/notification-targets',
        { kind: 'webhook', name: 'x', config: { url: 'https://example.com' } },
      ],
      ['patch', `/notification-targets/${targetId}`, { name: 'x' }],
      ['post', `/notification-targets/${targetId}/test`, undefined],
      ['post', '/notification-routes', { targetId }],
      ['patch', `/notification-routes/${route.id}`, { minSeverity: 'info' }],
      ['post', '/notifications/held', { action: 'drop' }],
    ] as const)
      expect((await member.api[method](path, body)).status, path).toBe(403);
    for (const path of [`/notification-targets/${targetId}`, `/notification-routes/${route.id}`])
      expect((await member.api.delete(path)).status).toBe(403);
  });

  it('answers targets and routes of others as if they did not exist', async () => {
    const { targetId, route } = await signUpWithWebhook(service);
    const { user: other, project } = await signUpWithWebhook(service);
    for (const path of [
      `/notification-targets/${targetId}/deliveries`,
      `/notification-routes/${route.id}/preview`,
    ])
      expect((await other.api.get(path)).status).toBe(404);
    expect((await other.api.post('/notification-routes', { targetId })).status).toBe(404);
    expect((await other.api.post(`/notification-targets/${targetId}/test`)).status).toBe(404);
    expect((await other.api.delete(`/notification-targets/${targetId}`)).status).toBe(404);
    expect((await other.api.delete(`/notification-routes/${route.id}`)).status).toBe(404);
    const { user } = await signUpWithWebhook(service);
    expect((await user.api.get('/notification-targets')).body).toHaveLength(1);
    const own = (await user.api.get('/notification-targets')).body[0].id;
    expect(
      (await user.api.post('/notification-routes', { targetId: own, projectId: project.id })).status,
    ).toBe(404);
  });

  it('refuses invalid configurations of targets, naming the field', async () => {
    const { user, targetId } = await signUpWithWebhook(service);
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

  it('previews what a route would have sent, by the code of real messages', async () => {
    const { user, project, webhook, route } = await signUpWithWebhook(service);
    const id = await user.openIncident(project.id);
    await user.openIncident(project.id, { severity: 'info' });
    await user.api.patch(`/incidents/${id}`, { status: 'resolved' });
    await webhook.arrived(1);
    const { body } = await user.api.get(
      `/notification-routes/${route.id}/preview?days=7&time_zone=Europe/Berlin`,
    );
    expect(body).toMatchObject({
      messages: 2,
      digests: 0,
      edits: 0,
      changes: 2,
      timeZone: 'Europe/Berlin',
      isComplete: true,
    });
    // Two of them where a day begins in Berlin between the messages.
    expect(body.days.reduce((sum: number, { messages }: { messages: number }) => sum + messages, 0)).toBe(2);
    const bad = await user.api.get(`/notification-routes/${route.id}/preview?time_zone=Mars/Olympus`);
    expectInvalid(bad, '/time_zone');
  });
});
