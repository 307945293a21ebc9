import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { ApiClient } from '../support/client.ts';
import { expectProblem } from '../support/problems.ts';
import { startTestService, type TestProject, type TestUser } from '../support/service.ts';
import { waitFor } from '../support/wait.ts';

const service = await startTestService();
const PATH = '/ingest/cloudevents';
const STRUCTURED = 'application/cloudevents+json; charset=utf-8';
const BATCH = 'application/cloudevents-batch+json';

async function setUp() {
  const user = await service.signUp();
  return { user, project: await user.createProject() };
}

const anEvent = (id: string, fields: object = {}) => ({
  specversion: '1.0',
  id,
  source: 'https://shop.example/orders',
  type: 'order.created',
  ...fields,
});

const send = (project: TestProject, body: unknown, type = STRUCTURED, headers: Record<string, string> = {}) =>
  project.ingest.post(PATH, typeof body === 'string' ? body : JSON.stringify(body), {
    headers: { 'content-type': type, ...headers },
  });

async function storedEvents(user: TestUser, { id }: TestProject, count: number) {
  const list = await waitFor(`${count} events`, async () => {
    const { body } = await user.api.get(`/events?project_id=${id}&limit=500`);
    return body.length === count && body;
  });
  return Promise.all(
    list.map(async (event: { id: string }) => (await user.api.get(`/events/${event.id}`)).body),
  );
}

it('stores a structured event by its attributes, once for its source and id', async () => {
  const { user, project } = await setUp();
  const time = new Date(service.context.clock.now() - 60_000).toISOString();
  const event = anEvent('1', {
    severity: 'ERROR',
    subject: 'ord_1',
    time,
    traceparent: '00-5b8efff798038103d269b633813fc60c-eee19b7ec3c1b174-01',
    data: { message: 'Order refused', user_id: 'usr_1' },
  });
  const first = await send(project, event);
  expect(first).toMatchObject({ status: 202, body: { status: 'queued', events: 1 } });
  expect((await send(project, event)).body).toEqual(first.body);
  const [stored] = await storedEvents(user, project, 1);
  expect(stored).toMatchObject({
    id: first.body.jobId.replace('job_', 'evt_'),
    type: 'order.created',
    severity: 'error',
    source: 'https://shop.example/orders',
    message: 'Order refused',
    correlation: { subject: 'ord_1', user_id: 'usr_1', trace_id: '5b8efff798038103d269b633813fc60c' },
    payload: event,
    changed: [],
  });
  expect(stored.capturedAt).toBe(time);
});

it('reads the binary mode, with percent-encoded headers and with plain ones in Latin-1 and UTF-8', async () => {
  const { user, project } = await setUp();
  const binary = (id: string, subject: string) => {
    const headers = {
      'ce-specversion': '1.0',
      'ce-id': id,
      'ce-source': '/shop',
      'ce-type': 'order.created',
      'ce-subject': subject,
    };
    return sendRaw(project, headers, '{"order_id":"ord_1"}');
  };
  expect(await binary('1', 'Gr%C3%BC%C3%9Fe')).toContain(' 202 ');
  expect(await binary('2', 'Grüße')).toContain(' 202 ');
  expect(await binary('3', Buffer.from('Grüße').toString('latin1'))).toContain(' 202 ');
  expect(await binary('4', '"100 % \\"Grüße\\""')).toContain(' 202 ');
  const stored = await storedEvents(user, project, 4);
  const subjects = Object.fromEntries(
    stored.map(({ payload, correlation }) => [payload.id, correlation.subject]),
  );
  expect(subjects).toEqual({ 1: 'Grüße', 2: 'Grüße', 3: 'Grüße', 4: '100 % "Grüße"' });
  for (const { payload, correlation } of stored) {
    expect(payload).toMatchObject({ data: { order_id: 'ord_1' }, datacontenttype: 'application/json' });
    expect(correlation.order_id).toBe('ord_1');
  }
});

it('decodes base64 that holds JSON, and keeps other data as it is', async () => {
  const { user, project } = await setUp();
  const encoded = Buffer.from('{"message":"Decoded","order_id":"ord_2"}').toString('base64');
  await send(project, anEvent('1', { datacontenttype: 'application/json', data_base64: encoded }));
  await send(project, anEvent('2', { datacontenttype: 'image/png', data_base64: 'iVBORw0KGgo=' }));
  const headers = { 'ce-specversion': '1.0', 'ce-id': '3', 'ce-source': '/a', 'ce-type': 'b' };
  await send(project, 'plain text', 'text/plain', headers);
  // A type that is no text, and that cannot become one.
  const datacontenttype = { toString: 1, valueOf: 1 };
  await send(project, anEvent('4', { datacontenttype, data_base64: encoded }));
  const stored = await storedEvents(user, project, 4);
  const payloads = Object.fromEntries(stored.map(({ payload }) => [payload.id, payload]));
  expect(payloads['1']).toMatchObject({ data: { message: 'Decoded' } });
  expect(payloads['2']).toMatchObject({ data_base64: 'iVBORw0KGgo=' });
  expect(payloads['3']).toMatchObject({ data: 'plain text' });
  expect(payloads['4']).toMatchObject({ datacontenttype, data_base64: encoded });
  expect(stored.find(({ payload }) => payload.id === '1')?.message).toBe('Decoded');
});

it('says on an event that a text of it was cut, and keeps the text in the payload', async () => {
  const { user, project } = await setUp();
  const long = `urn:${'x'.repeat(300)}`;
  for (const [id, fields] of Object.entries({
    source: { source: long },
    type: { type: long },
    message: { data: { message: 'x'.repeat(33_000) } },
    correlation: { data: { order_id: long } },
    whole: {},
  }))
    await send(project, anEvent(id, fields));
  const stored = await storedEvents(user, project, 5);
  for (const { payload, changed } of stored)
    expect(changed).toEqual(payload.id === 'whole' ? [] : ['fields']);
  expect(stored.find(({ payload }) => payload.id === 'source')).toMatchObject({
    source: expect.stringMatching(/x…$/),
    payload: { source: long },
  });
});

it('stores a batch by its content type, whatever headers it has, and an event once that it holds twice', async () => {
  const { user, project } = await setUp();
  const headers = { 'ce-specversion': '1.0', 'ce-id': 'x', 'ce-source': '/x', 'ce-type': 'x' };
  const answer = await send(project, [anEvent('1'), anEvent('2'), anEvent('1')], BATCH, headers);
  expect(answer).toMatchObject({ status: 202, body: { events: 2 } });
  expect((await send(project, [], BATCH)).body).toEqual({ status: 'queued', jobId: null, events: 0 });
  expect(await storedEvents(user, project, 2)).toHaveLength(2);
});

it('takes a batch of 10,000 events, and none of a larger one', async () => {
  const { user, project } = await setUp();
  const events = Array.from({ length: 10_001 }, (_, index) => anEvent(String(index)));
  expectProblem(await send(project, events, BATCH), 'validation_failed');
  const answer = await send(project, events.slice(1), BATCH);
  expect(answer).toMatchObject({ status: 202, body: { events: 10_000 } });
  expect((await user.api.get(`/projects/${project.id}/ledger`)).body).toMatchObject({ accepted: 10_000 });
});

it('refuses in one sentence what is no CloudEvent, and stores nothing of its batch', async () => {
  const { user, project } = await setUp();
  const { id: _, ...nameless } = anEvent('1');
  for (const [body, type, code] of [
    [nameless, STRUCTURED, 'validation_failed'],
    [[anEvent('1'), nameless], BATCH, 'validation_failed'],
    [anEvent('1'), BATCH, 'validation_failed'],
    [[anEvent('1')], STRUCTURED, 'validation_failed'],
    [anEvent('1'), 'application/json', 'validation_failed'],
    ['{', STRUCTURED, 'malformed_json'],
    [anEvent('1', { data_base64: '!' }), STRUCTURED, 'malformed_json'],
    [anEvent('1', { data: 'x'.repeat(2_000_000) }), STRUCTURED, 'body_too_large'],
    [anEvent('1', { data: 'é'.repeat(600_000) }), STRUCTURED, 'body_too_large'],
    [anEvent('1', { data: Array.from({ length: 250_001 }, () => 0) }), STRUCTURED, 'validation_failed'],
  ] as const)
    expectProblem(await send(project, body, type), code);
  expect((await user.api.get(`/projects/${project.id}/ledger`)).body).toMatchObject({ accepted: 0 });
});

it('replaces what cannot be stored, and moves a time that no event may have', async () => {
  const { user, project } = await setUp();
  await send(project, anEvent('1', { data: { message: 'a\0b\ud800' }, time: '1999-01-01T00:00:00Z' }));
  const [stored] = await storedEvents(user, project, 1);
  expect(stored).toMatchObject({ message: 'a\ufffdb\ufffd', changed: ['clock', 'fields'] });
});

it('answers the handshake of a sender without a key, and takes events with the key as bearer token alone', async () => {
  const { project } = await setUp();
  const stranger = new ApiClient(service.ingestionUrl);
  const asked = await stranger.request('OPTIONS', PATH, {
    headers: { 'webhook-request-origin': 'eventgrid.example' },
  });
  expect(asked.status).toBe(204);
  expect(asked.headers.get('webhook-allowed-origin')).toBe('eventgrid.example');
  expect(asked.headers.get('webhook-allowed-rate')).toBe('*');
  const headers = { 'content-type': STRUCTURED };
  const body = JSON.stringify(anEvent('1'));
  expectProblem(await stranger.post(PATH, body, { headers }), 'invalid_api_key');
  const authorization = `Bearer ${project.apiKey}`;
  expect((await stranger.post(PATH, body, { headers: { ...headers, authorization } })).status).toBe(202);
});

/** Sends headers as the bytes of their characters, as `fetch` refuses to. @returns the answer */
function sendRaw(project: TestProject, headers: Record<string, string>, body: string): Promise<string> {
  const { hostname, port } = new URL(service.ingestionUrl);
  const lines = Object.entries({
    host: 'localhost',
    connection: 'close',
    'x-api-key': project.apiKey,
    'content-type': 'application/json',
    'content-length': String(body.length),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname).setEncoding('latin1');
    let answer = '';
    socket.on('data', (chunk) => (answer += String(chunk)));
    socket.on('end', () => resolve(answer));
    socket.on('error', reject);
    socket.write(Buffer.from(`POST ${PATH} HTTP/1.1\r\n${lines.join('')}\r\n${body}`, 'latin1'));
  });
}
