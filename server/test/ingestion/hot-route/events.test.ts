import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { sendRaw } from '../../support/raw-http.ts';
import { startTestService } from '../../support/service.ts';
import { waitFor } from '../../support/wait.ts';
import { anEvent, eventIdOf, storedEvent } from '../support.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
/** The same type, with a parameter that only the framework's route reads. */
const LONG_JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

/** Headers that may differ: the framework closes the connection after an unparsable body. */
const VARYING = ['date', 'x-request-id', 'connection', 'keep-alive'];

describe('a custom event by the hot route', async () => {
  const service = await startTestService({ roles: ['ingestion', 'management', 'worker'] });
  const user = await service.signUp();
  const { ingest, apiKey } = await user.createProject();
  // The first request with a key looks up its owner.
  await ingest.post('/ingest/events', anEvent());

  const raw = (headers: string[], body: string) =>
    sendRaw(
      service.ingestionUrl,
      [
        'POST /ingest/events HTTP/1.1',
        'Host: localhost',
        `X-Api-Key: ${apiKey}`,
        'Connection: close',
        ...headers,
      ],
      body,
    );

  it.each([
    ['a good event', JSON.stringify(anEvent())],
    ['no JSON', '{'],
    ['no UTF-8', Buffer.from([0x22, 0xff, 0x22])],
    ['nothing', ''],
    ['an array', '[]'],
    ['a missing field', '{"type":"a","severity":"INFO"}'],
    ['a severity in lower case', JSON.stringify(anEvent({ severity: 'info' }))],
    ['a time long ago', JSON.stringify(anEvent({ capturedAt: '2001-01-01T00:00:00Z' }))],
    ['a NUL character', JSON.stringify(anEvent({ message: '\0' }))],
    ['JSON that is too deep', `${'['.repeat(100)}${']'.repeat(100)}`],
    ['too many bytes', JSON.stringify(anEvent({ payload: { text: 'x'.repeat(1024 * 1024) } }))],
  ])('answers an event on the hot route as the framework does: %s', async (_what, body) => {
    const short = await ingest.post('/ingest/events', body, { headers: JSON_TYPE });
    const long = await ingest.post('/ingest/events', body, { headers: LONG_JSON_TYPE });
    const comparable = ({ status, headers, body: answer }: typeof short) => ({
      status,
      headers: [...headers].filter(([name]) => !VARYING.includes(name)),
      body: { ...answer, jobId: typeof answer.jobId, requestId: typeof answer.requestId },
    });
    expect(comparable(short)).toEqual(comparable(long));
  });

  it('stores an event of the hot route as it was sent', async () => {
    const sent = anEvent({
      message: 'Größe 🎈',
      payload: { nested: [1, { a: null }] },
      correlation: { user_id: 'u' },
    });
    const stored = await storedEvent(user, await ingest.post('/ingest/events', sent));
    expect(stored).toMatchObject({ ...sent, severity: 'info', correlationId: 'u' });
  });

  it('counts an event of the hot route under its route', async () => {
    const count = async () => {
      const text = await (await fetch(`${service.ingestionUrl}/metrics`)).text();
      const line = /route="\/ingest\/events",status="202"\} (\d+)/.exec(text);
      return Number(line?.[1]);
    };
    const before = await count();
    await ingest.post('/ingest/events', anEvent());
    await waitFor('the answer to be counted', async () => (await count()) === before + 1);
  });

  it('accepts an event in pieces on the hot route', async () => {
    const text = JSON.stringify(anEvent({ message: 'in two pieces' }));
    const socket = connect(Number(new URL(service.ingestionUrl).port), '127.0.0.1');
    let received = '';
    socket.on('data', (chunk) => (received += String(chunk)));
    const head = `POST /ingest/events HTTP/1.1\r\nHost: a\r\nX-Api-Key: ${apiKey}\r\nContent-Type: application/json\r\n`;
    await new Promise<void>((resolve) =>
      socket.write(`${head}Content-Length: ${text.length}\r\n\r\n${text.slice(0, 10)}`, () => resolve()),
    );
    socket.write(text.slice(10));
    await waitFor('an answer', () => received.includes('"queued"'));
    socket.destroy();
    expect(received).toMatch(/^HTTP\/1\.1 202 /);
  });

  it('answers requests of one connection in their order', async () => {
    const request = (message: string) => {
      const text = JSON.stringify(anEvent({ message }));
      return `POST /ingest/events HTTP/1.1\r\nHost: a\r\nX-Api-Key: ${apiKey}\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`;
    };
    const socket = connect(Number(new URL(service.ingestionUrl).port), '127.0.0.1');
    let received = '';
    socket.on('data', (chunk) => (received += String(chunk)));
    socket.write(['one', 'two', 'three'].map(request).join(''));
    await waitFor('three answers', () => received.split('"queued"').length === 4);
    socket.destroy();
    const messages: string[] = [];
    for (const [, jobId] of received.matchAll(/"jobId":"(\w+)"/g)) {
      messages.push((await storedEvent(user, { status: 202, body: { jobId } } as never)).message);
    }
    expect(messages).toEqual(['one', 'two', 'three']);
  });

  it('stores no event of a sender that disconnects before its body ends', async () => {
    const socket = connect(Number(new URL(service.ingestionUrl).port), '127.0.0.1');
    const head = `POST /ingest/events HTTP/1.1\r\nHost: a\r\nX-Api-Key: ${apiKey}\r\nContent-Type: application/json\r\n`;
    await new Promise<void>((resolve) =>
      socket.write(`${head}Content-Length: 100\r\n\r\n{"type"`, () => resolve()),
    );
    socket.destroy();
    expect(eventIdOf(await ingest.post('/ingest/events', anEvent()))).toMatch(/^evt_/);
  });

  it('passes chunked bodies and doubtful Host headers on to the framework', async () => {
    const text = JSON.stringify(anEvent());
    const chunked = `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`;
    const type = 'Content-Type: application/json';
    expect((await raw([type, 'Transfer-Encoding: chunked'], chunked)).status).toBe(202);
    expect((await raw([type, 'Host: other', `Content-Length: ${text.length}`], text)).status).toBe(400);
  });
});
