import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { LOGS, TRACES } from '../../src/ingestion/otlp/messages.ts';
import { encodeMessage } from '../../src/ingestion/otlp/testing.ts';
import { ledgerOf } from '../processing/support.ts';
import { ApiClient } from '../support/client.ts';
import { createTestDatabase } from '../support/database.ts';
import { startDatabaseProxy } from '../support/network-proxy.ts';
import { startTestService, type TestUser } from '../support/service.ts';
import { waitFor } from '../support/wait.ts';
import { unstoredOf } from './support.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const PROTOBUF = { 'content-type': 'application/x-protobuf' };

/** Body of one log record in each format. */
function logsOf(message: string, timeUnixNano = '0') {
  const record = { timeUnixNano, severityNumber: 17, body: { stringValue: message } };
  const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'shop' } }] };
  const request = (logRecord: unknown) => ({
    resourceLogs: [{ resource, scopeLogs: [{ scope: {}, logRecords: [logRecord] }] }],
  });
  return {
    json: JSON.stringify(request(record)),
    protobuf: new Uint8Array(encodeMessage(request(encodeMessage(record, LOGS.item)), LOGS.request)),
  };
}

function bytesOf(body: unknown): Buffer {
  return Buffer.from(String(body), 'latin1');
}

async function messagesOf(user: TestUser, projectId: string, count: number): Promise<string[]> {
  return waitFor(`${count} events to be stored`, async () => {
    const { body } = await user.api.get(`/events?project_id=${projectId}`);
    return body.length >= count && body.map(({ message }: { message: string }) => message).toSorted();
  });
}

describe('OTLP over HTTP', async () => {
  const service = await startTestService();
  const user = await service.signUp();
  const timeNow = () => `${service.context.clock.now()}000000`;

  it('accepts logs as JSON and as Protocol Buffers, also compressed, and answers in the same format', async () => {
    const { id, ingest } = await user.createProject();
    const { json, protobuf } = logsOf('Card was declined');
    const asJson = await ingest.post('/v1/logs', json, { headers: JSON_TYPE });
    expect([asJson.status, asJson.body]).toEqual([200, {}]);
    expect(asJson.headers.get('content-type')).toContain('application/json');
    const asBytes = await ingest.post('/v1/logs', protobuf, { headers: PROTOBUF });
    expect([asBytes.status, asBytes.headers.get('content-type'), asBytes.body]).toEqual([
      200,
      'application/x-protobuf',
      '',
    ]);
    const packed = { ...PROTOBUF, 'content-encoding': 'gzip' };
    expect(
      (await ingest.post('/v1/logs', new Uint8Array(gzipSync(protobuf)), { headers: packed })).status,
    ).toBe(200);
    const stored = await messagesOf(user, id, 3);
    expect(stored).toEqual(['Card was declined', 'Card was declined', 'Card was declined']);
    const { body } = await user.api.get(`/events?project_id=${id}`);
    expect(body[0]).toMatchObject({ type: 'log', severity: 'error', source: 'shop', changed: [] });
  });

  it('answers an address with a slash at its end', async () => {
    const { ingest } = await user.createProject();
    const { json } = logsOf('Card was declined');
    for (const path of ['/v1/logs/', '/v1/traces/']) {
      const { status, body } = await ingest.post(path, path.includes('logs') ? json : '{}', {
        headers: JSON_TYPE,
      });
      expect([path, status, body]).toEqual([path, 200, {}]);
    }
  });

  it('stores the exceptions of spans, and no span, and counts those of a repeat once', async () => {
    const { id, ingest } = await user.createProject();
    const event = {
      name: 'exception',
      timeUnixNano: timeNow(),
      attributes: [{ key: 'exception.message', value: { stringValue: 'No card' } }],
    };
    const spans = [{ name: 'GET /' }, { name: 'POST /pay', events: [event] }].map((span) =>
      encodeMessage(span, TRACES.item),
    );
    const body = encodeMessage({ resourceSpans: [{ scopeSpans: [{ spans }] }] }, TRACES.request);
    for (let sent = 0; sent < 2; sent++) {
      const answer = await ingest.post('/v1/traces', new Uint8Array(body), { headers: PROTOBUF });
      expect(answer.status).toBe(200);
    }
    expect(await messagesOf(user, id, 1)).toEqual(['No card']);
    const unstored = await unstoredOf(() => service.wake('item counts'), user, id, 2);
    expect(unstored).toEqual([{ kind: 'span', reason: 'not_kept', quantity: 2 }]);
  });

  it('takes the key as bearer token, and refuses a wrong one with a status of its format', async () => {
    const { apiKey, ingest } = await user.createProject();
    const anonymous = new ApiClient(service.ingestionUrl);
    const { json } = logsOf('Hello');
    const send = (authorization: string) =>
      anonymous.post('/v1/logs', json, { headers: { ...JSON_TYPE, authorization } });
    expect((await send(`Bearer ${apiKey}`)).status).toBe(200);
    const refused = await send('Bearer tsn_live_wrong');
    expect([refused.status, refused.headers.get('content-type'), refused.body]).toEqual([
      401,
      'application/json',
      { code: 16, message: 'The API key is not valid.' },
    ]);
    const binary = await anonymous.post('/v1/logs', new Uint8Array(), { headers: PROTOBUF });
    expect([binary.status, binary.headers.get('content-type')]).toEqual([401, 'application/x-protobuf']);
    expect(binary.body).toContain('Send the project');
    const malformed = await ingest.post('/v1/logs', new Uint8Array([255]), { headers: PROTOBUF });
    expect([malformed.status, bytesOf(malformed.body).subarray(0, 2)]).toEqual([400, Buffer.from([8, 3])]);
  });

  it('refuses metrics in words, and other content types', async () => {
    const { ingest } = await user.createProject();
    const metrics = await ingest.post('/v1/metrics', {});
    expect([metrics.status, metrics.body]).toEqual([
      404,
      { code: 12, message: 'Metrics are not taken, only logs and traces: set OTEL_METRICS_EXPORTER=none.' },
    ]);
    const text = await ingest.post('/v1/logs', 'hello', { headers: { 'content-type': 'text/plain' } });
    expect([text.status, text.body.code]).toEqual([415, 3]);
  });

  it('accepts an empty export, and none of a revoked key', async () => {
    const { ingest, id } = await user.createProject();
    const { body: key } = await user.api.post(`/projects/${id}/api-keys`, {});
    const other = new ApiClient(service.ingestionUrl, { 'x-api-key': key.rawKey });
    for (const sender of [ingest, other])
      for (const path of ['/v1/logs', '/v1/traces'])
        expect((await sender.post(path, {})).status, path).toBe(200);
    await user.api.delete(`/api-keys/${key.id}`);
    for (const path of ['/v1/logs', '/v1/traces']) expect((await other.post(path, {})).status).toBe(401);
    expect((await other.post('/v1/logs', logsOf('Late').json, { headers: JSON_TYPE })).status).toBe(401);
  });

  it('accepts the readable records of an export, and says how many it rejected and why', async () => {
    const { id, ingest } = await user.createProject();
    const logRecords = [{ body: { stringValue: 'Good' } }, null, 5];
    const answer = await ingest.post('/v1/logs', { resourceLogs: [{ scopeLogs: [{ logRecords }] }] });
    const errorMessage = 'Not accepted: 2 that cannot be read as log records.';
    expect([answer.status, answer.body]).toEqual([
      200,
      { partialSuccess: { rejectedLogRecords: '2', errorMessage } },
    ]);
    expect(await messagesOf(user, id, 1)).toEqual(['Good']);
    const spans = [Buffer.from([255])];
    const body = encodeMessage({ resourceSpans: [{ scopeSpans: [{ spans }] }] }, TRACES.request);
    const binary = await ingest.post('/v1/traces', new Uint8Array(body), { headers: PROTOBUF });
    expect(binary.body).toContain('Not accepted: 1 that cannot be read as spans.');
    expect(bytesOf(binary.body).subarray(2, 4)).toEqual(Buffer.from([8, 1]));
  });

  it('recognises the repeat of a batch, but not of records without a time', async () => {
    const { id, ingest } = await user.createProject();
    const timed = logsOf('Timed', timeNow()).json;
    for (const body of [timed, timed, logsOf('Timeless').json, logsOf('Timeless').json])
      expect((await ingest.post('/v1/logs', body, { headers: JSON_TYPE })).status).toBe(200);
    expect(await messagesOf(user, id, 3)).toEqual(['Timed', 'Timeless', 'Timeless']);
    await service.settled();
    expect(await ledgerOf(user, id)).toMatchObject({ accepted: 4, stored: 3, duplicate: 1 });
  });
});

describe('OTLP while the database is down', async () => {
  const database = await createTestDatabase();
  const proxy = await startDatabaseProxy(database.connectionString);
  const service = await startTestService({ database: { ...database, connectionString: proxy.url } });
  const user = await service.signUp();
  const { id, ingest } = await user.createProject();

  it('answers 503 with a time to come back, so that exporters send a batch again', async () => {
    const { json, protobuf } = logsOf('Kept', `${service.context.clock.now()}000000`);
    proxy.refuse();
    const asJson = await ingest.post('/v1/logs', json, { headers: JSON_TYPE });
    expect([asJson.status, asJson.headers.get('retry-after'), asJson.body.code]).toEqual([503, '1', 14]);
    const asBytes = await ingest.post('/v1/logs', protobuf, { headers: PROTOBUF });
    expect([asBytes.status, asBytes.headers.get('content-type')]).toEqual([503, 'application/x-protobuf']);
    const empty = await ingest.post('/v1/traces', {});
    expect([empty.status, empty.body.code]).toEqual([503, 14]);
    proxy.restore();
    await waitFor(
      'the batch to be accepted',
      async () => (await ingest.post('/v1/logs', json, { headers: JSON_TYPE })).status === 200,
    );
    expect(await messagesOf(user, id, 1)).toEqual(['Kept']);
  });
});
