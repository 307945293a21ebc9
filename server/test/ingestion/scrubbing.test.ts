import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { SCRUB_RULES } from '../../src/scrubbing/schema.ts';
import { ApiClient } from '../support/client.ts';
import { expectProblem } from '../support/problems.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { waitFor } from '../support/wait.ts';
import { createDsnProject } from './envelopes/support.ts';

const service = await startTestService({ own: true });
const user = await service.signUp();
const project = await createDsnProject(service, user);

const PASSWORD = ['hunter2', 'x7f3a9c1'].join('');
const TOKEN = ['ghp', 'A1b2C3d4E5f6A1b2C3d4E5f6A1b2C3d4E5f6'].join('_');
const CARD = ['4242', '4242', '4242', '4242'].join('');
/** Parts of every event below, in the words of its protocol. */
const MESSAGE = `Login with ${PASSWORD} failed: https://shop.example/?access_token=${TOKEN} ${CARD}`;
const PAYLOAD = { password: PASSWORD, note: [`sent ${TOKEN}`], [TOKEN]: 1 };
const CORRELATION = { order_id: 'ord_1', login: PASSWORD, api_key: TOKEN };
const event = {
  type: 'login',
  severity: 'ERROR',
  message: MESSAGE,
  payload: PAYLOAD,
  correlation: CORRELATION,
};

const JSON_TYPE = { headers: { 'content-type': 'application/json' } };
const attribute = (key: string, stringValue: string) => ({ key, value: { stringValue } });

async function sendToHook(): Promise<number> {
  const { url, secret } = (await user.api.post(`/projects/${project.id}/hooks`, { kind: 'github' })).body;
  const body = JSON.stringify({ action: 'opened', issue: { title: MESSAGE }, ...PAYLOAD });
  const client = new ApiClient(service.ingestionUrl, {
    'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    'x-github-event': 'issues',
    'x-github-delivery': '1',
  });
  return (await client.post(new URL(url).pathname, body, JSON_TYPE)).status;
}

const { ingest } = project;
/** Sends the secrets by each way in, each as one event. */
const WAYS: Record<string, () => Promise<number>> = {
  'the hot route': async () => (await ingest.post('/ingest/events', event)).status,
  'the framework': async () =>
    (await ingest.post('/ingest/events', event, { headers: { 'idempotency-key': '1' } })).status,
  'a bulk body': async () => (await ingest.post('/ingest/bulk', JSON.stringify([event]), JSON_TYPE)).status,
  'a server error': async () => {
    const stack = `Error: ${MESSAGE}\n    at login (https://shop.example/app.js?token=${TOKEN}:10:5)`;
    const error = {
      status_code: 500,
      path: `/login?password=${PASSWORD}`,
      method: 'POST',
      error_message: MESSAGE,
    };
    return (await ingest.post('/ingest/server-error', { ...error, stack })).status;
  },
  'a webhook': async () =>
    (await ingest.post('/ingest/webhook', { source: 'shop', event: MESSAGE, payload: PAYLOAD })).status,
  'a payment': async () =>
    (await ingest.post('/ingest/payments', { type: MESSAGE, data: { ...PAYLOAD, client_secret: TOKEN } }))
      .status,
  OpenTelemetry: async () => {
    const attributes = [
      attribute('password', PASSWORD),
      attribute('note', TOKEN),
      attribute('exception.stacktrace', MESSAGE),
    ];
    const logRecords = [{ severityNumber: 17, body: { stringValue: MESSAGE }, attributes }];
    const resource = { attributes: [attribute('db.password', PASSWORD)] };
    const body = JSON.stringify({ resourceLogs: [{ resource, scopeLogs: [{ logRecords }] }] });
    return (await ingest.post('/v1/logs', body, JSON_TYPE)).status;
  },
  'a client of Sentry': async () =>
    (
      await project.sendItem('event', {
        exception: {
          values: [
            { type: 'Error', value: MESSAGE, stacktrace: { frames: [{ filename: `a.js?token=${TOKEN}` }] } },
          ],
        },
        request: {
          cookies: { sid: PASSWORD },
          headers: [['Authorization', `Bearer ${TOKEN}`]],
          query_string: `password=${PASSWORD}`,
        },
        breadcrumbs: { values: [{ message: MESSAGE, data: PAYLOAD }] },
        tags: { login: PASSWORD },
        extra: PAYLOAD,
      })
    ).status,
  'a report of a browser': async () => {
    const report = {
      'csp-report': { 'document-uri': `https://shop.example/?password=${PASSWORD}`, sample: MESSAGE },
    };
    return (
      await project.send('security', JSON.stringify(report), { 'content-type': 'application/csp-report' })
    ).status;
  },
  CloudEvents: async () => {
    const cloudEvent = {
      specversion: '1.0',
      id: '1',
      source: 'shop',
      type: 'login',
      subject: MESSAGE,
      data: PAYLOAD,
    };
    const headers = { 'content-type': 'application/cloudevents+json' };
    return (await ingest.post('/ingest/cloudevents', JSON.stringify(cloudEvent), { headers })).status;
  },
  'a hook': sendToHook,
  'an alert': async () => {
    const labels = { alertname: 'Login', service: 'shop', login_password: PASSWORD };
    const alert = {
      status: 'firing',
      labels,
      annotations: { summary: MESSAGE, runbook_url: `https://shop.example/?token=${TOKEN}` },
      startsAt: new Date(service.context.clock.now() - 60_000).toISOString(),
      endsAt: '0001-01-01T00:00:00Z',
      generatorURL: 'http://prometheus.example/graph',
      fingerprint: 'f1',
    };
    const notification = {
      version: '4',
      groupKey: `{}:{login="${PASSWORD}"}`,
      truncatedAlerts: 0,
      status: 'firing',
      alerts: [alert],
    };
    return (await ingest.post('/ingest/alertmanager', notification)).status;
  },
};

/** Lists the tables in which a row holds a text in any column. */
async function tablesWith({ database: { pool } }: TestService, text: string): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT quote_ident(table_name) AS name FROM information_schema.tables WHERE table_schema = 'public'`,
  );
  const found: string[] = [];
  for (const { name } of rows) {
    const { rowCount } = await pool.query(
      `SELECT FROM ${name} AS row WHERE strpos(row::text, $1) > 0 OR strpos(row::text, encode($1::bytea, 'hex')) > 0 LIMIT 1`,
      [text],
    );
    if (rowCount) found.push(name);
  }
  return found;
}

/** Declares a schedule whose job fails with an output. @returns the output as it is kept */
async function checkIn(projectId: string, body: string): Promise<string> {
  const schedule = { slug: 'backup', intervalSeconds: 3_600 };
  const { id, pingUrl } = (await user.api.post(`/projects/${projectId}/schedules`, schedule)).body;
  const job = new ApiClient(service.ingestionUrl);
  const output = { body, headers: { 'content-type': 'text/plain' } };
  expect((await job.request('POST', `${new URL(pingUrl).pathname}/1`, output)).status).toBe(200);
  return (await user.api.get(`/projects/${projectId}/schedules/${id}/check-ins`)).body[0].body;
}

it('stores no secret in any table, whichever way an event comes in', async () => {
  const ways = Object.entries(WAYS);
  for (const [name, send] of ways) expect([200, 201, 202], name).toContain(await send());
  const events = await waitFor('all events', async () => {
    const { body } = await user.api.get(`/events?project_id=${project.id}&limit=100`);
    return body.length === ways.length && body;
  });
  await checkIn(project.id, `PGPASSWORD=${PASSWORD} ${MESSAGE}`);
  await service.settled();
  for (const { type, source, scrubbed } of events) expect(scrubbed, `${type} ${source}`).not.toEqual({});
  // The alert has opened one.
  await user.firstIncident(project.id);
  expect(await tablesWith(service, 'Login with [Filtered]')).toEqual(
    expect.arrayContaining(['events', 'check_ins']),
  );
  for (const secret of [PASSWORD, TOKEN, CARD]) expect(await tablesWith(service, secret)).toEqual([]);
});

it('follows what a project chose, from some seconds after the change on', async () => {
  const other = await user.createProject('Other');
  const scrubbing = { names: ['tax id'], safe: ['login'], off: ['card'], personal: ['email'] };
  const changed = await user.api.patch(`/projects/${other.id}`, { scrubbing });
  expect([changed.status, changed.body.scrubbing]).toEqual([200, scrubbing]);
  const { body: audit } = await user.api.get('/organizations/audit?limit=1');
  expect(audit[0]).toMatchObject({ action: 'project.changed', after: { scrubbing } });
  const bad = await user.api.patch(`/projects/${other.id}`, { scrubbing: { ...scrubbing, names: ['17'] } });
  expectProblem(bad, 'validation_failed');
  const sent = {
    ...event,
    message: `Paid with ${CARD}`,
    payload: { customerTaxId: '12/345', password: PASSWORD },
  };
  // Each try is an event, until one was accepted with the new choices.
  const stored = await waitFor('an event by the new choices', async () => {
    service.wake('choices of projects');
    await other.ingest.post('/ingest/events', { ...sent, source: 'other' });
    const { body } = await user.api.get(`/events?project_id=${other.id}&limit=1`);
    return body[0]?.message === sent.message && body[0];
  });
  expect(stored.payload).toEqual({ customerTaxId: '[Filtered]', password: '[Filtered]' });
  expect(await checkIn(other.id, `tax_id=DE/345 ${CARD}`)).toBe(`tax_id=[Filtered] ${CARD}`);
  expect((await ingest.post('/ingest/events', { ...sent, source: 'first' })).status).toBe(202);
  const [first] = await waitFor('the event of the other project', async () => {
    const { body } = await user.api.get(`/events?project_id=${project.id}&source=first`);
    return body.length === 1 && body;
  });
  expect(first).toMatchObject({ message: 'Paid with [Filtered]', payload: { customerTaxId: '12/345' } });
});

it('derives the correlation id from no replaced value, and says what was replaced by rule', async () => {
  const { body } = await user.api.get(`/events?project_id=${project.id}&type=login&source=other`);
  expect(body).toEqual([]);
  const sent = {
    ...event,
    source: 'other',
    correlation: { session_id: PASSWORD },
    payload: { password: PASSWORD },
  };
  await ingest.post('/ingest/events', sent);
  const [stored] = await waitFor('the event', async () => {
    const { body } = await user.api.get(`/events?project_id=${project.id}&source=other`);
    return body.length === 1 && body;
  });
  expect(stored).toMatchObject({
    message: 'Login with [Filtered] failed: https://shop.example/?access_token=[Filtered] [Filtered]',
    payload: { password: '[Filtered]' },
    correlation: { session_id: '[Filtered]' },
    correlationId: stored.fingerprint,
    scrubbed: { key: 3, card: 1, repeat: 1 },
  });
});

it('counts what was replaced by rule for each project, and shows it to its members alone', async () => {
  const count = async () => {
    const counted = await user.createProject('Counted');
    const path = `/projects/${counted.id}/scrubbing/counts`;
    expect((await user.api.get(path)).body).toEqual([]);
    for (const message of [`Paid with ${CARD}`, `${CARD} and password=${PASSWORD}`])
      await counted.ingest.post('/ingest/events', { ...event, message, payload: {}, correlation: {} });
    service.wake('scrubbed values');
    const counts = await waitFor('the counts of both', async () => {
      const { body } = await user.api.get(path);
      return body[0]?.quantity === 2 && body;
    });
    return { path, counts };
  };
  const isOfToday = ({ quantity, today }: { quantity: number; today: number }) => quantity === today;
  // Once more where a day begins between two requests.
  const { path, counts } = await waitFor('counts of one day', async () => {
    const counted = await count();
    return counted.counts.every(isOfToday) && counted;
  });
  expect(counts).toEqual([
    { rule: 'card', quantity: 2, today: 2 },
    { rule: 'key', quantity: 1, today: 1 },
  ]);
  const stranger = await service.signUp();
  expectProblem(await stranger.api.get(path), 'not_found');
});

it('counts what was replaced by rule, in the metrics', async () => {
  const values = await service.context.metrics.scrubbedValues.get();
  const byRule = new Map(values.values.map(({ labels, value }) => [labels.rule, value]));
  expect(new Set(byRule.keys())).toEqual(new Set(SCRUB_RULES));
  const before = byRule.get('card') ?? 0;
  await ingest.post('/ingest/events', { ...event, message: `Paid with ${CARD}`, payload: { note: CARD } });
  const after = await service.context.metrics.scrubbedValues.get();
  expect(after.values.find(({ labels }) => labels.rule === 'card')?.value).toBe(before + 2);
});

it('counts what was replaced in an alert once, and not again in its repeats', async () => {
  const { id, ingest: alerts } = await user.createProject();
  const sumOf = (counts: { value: number }[]) => counts.reduce((sum, { value }) => sum + value, 0);
  const count = async () => sumOf((await service.context.metrics.scrubbedValues.get()).values);
  const labels = { alertname: 'Login', password: PASSWORD };
  const alert = { status: 'firing', labels, startsAt: new Date(service.context.clock.now()).toISOString() };
  const before = await count();
  for (const repeats of [0, 1])
    expect(
      (await alerts.post('/ingest/alertmanager', { groupKey: 'g', alerts: [alert] })).body,
    ).toMatchObject({ repeats });
  const [listed] = await waitFor('the event', async () => {
    const { body } = await user.api.get(`/events?project_id=${id}`);
    return body.length > 0 && body;
  });
  const { scrubbed } = (await user.api.get(`/events/${listed.id}`)).body;
  expect((await count()) - before).toBe(sumOf(Object.values<number>(scrubbed).map((value) => ({ value }))));
});

it('replaces secrets in deploys as in events, so that both name the same release', async () => {
  const { id, ingest: sender } = await user.createProject();
  const names = { release: `1.0.0+${TOKEN}`, environment: `qa-${TOKEN}` };
  expect((await sender.post('/ingest/deploys', names)).status).toBe(202);
  expect((await sender.post('/ingest/events', { ...event, ...names })).status).toBe(202);
  await service.settled();
  const { body: deploys } = await user.api.get(`/projects/${id}/deploys`);
  expect(deploys).toEqual([
    expect.objectContaining({ release: '1.0.0+[Filtered]', environment: 'qa-[filtered]' }),
  ]);
  const { body: releases } = await user.api.get(`/releases?project_id=${id}`);
  expect(releases).toEqual([
    expect.objectContaining({ version: '1.0.0+[Filtered]', events: 1, deployedAt: deploys[0].deployedAt }),
  ]);
  const { rows } = await service.database.pool.query<{ key: string }>('SELECT key FROM claims');
  expect(JSON.stringify(rows)).not.toContain(TOKEN);
});
