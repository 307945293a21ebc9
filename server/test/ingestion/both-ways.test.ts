import type { Server } from 'node:http';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestService } from '../support/service.ts';
import { normalised, portOf, startBothWays } from '../support/two-ways.ts';
import { waitFor } from '../support/wait.ts';
import { anEvent } from './support.ts';

const GOOD = JSON.stringify(anEvent());
const JSON_TYPE = 'Content-Type: application/json';

interface Request {
  line?: string;
  host?: string[];
  /** Keys in place of the project's valid one. */
  key?: string[];
  type?: string[];
  /** Lengths in place of the body's. */
  length?: string[];
  headers?: string[];
  body?: string | Buffer;
  /** Bytes sent after the first ones. */
  rest?: string | Buffer;
  /** Number of answers before the test ends the connection; by default the server ends it. */
  answers?: number;
  /** Called before a last request is sent over the same connection. */
  beforeLast?: () => void;
}

const event = (fields: Record<string, unknown>) => ({ body: JSON.stringify(anEvent(fields)) });
const closing = { headers: ['Connection: close'] };
const chunked = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`;

/** Requests that both ways must answer alike, including those that the hot route leaves to the framework. */
const PLAIN: Record<string, Request> = {
  'a plain event': {},
  'a plain event whose connection goes on': { headers: [], answers: 1 },
  'header names in lower case': { key: ['x-api-key: {key}'], type: ['content-type: application/json'] },
  'header names in upper case': { key: ['X-API-KEY: {key}'], type: ['CONTENT-TYPE: application/json'] },
  'all that an event can have': event({
    source: 'shop',
    release: '1.2',
    correlation: { user_id: 'u' },
    payload: { a: [1, { b: null }] },
  }),
  'letters beyond ASCII': event({ message: 'Größe 🎈' }),
  'no JSON': { body: '{' },
  'no JSON, over a connection that goes on': { body: '{', headers: [], answers: 1 },
  'no UTF-8': { body: Buffer.from([0x22, 0xff, 0x22]) },
  'a byte order mark': { body: `\uFEFF${GOOD}` },
  'a key that stands twice in the body': { body: GOOD.replace('{', '{"type":"first",') },
  'white space alone': { body: '   ' },
  'an array': { body: '[]' },
  'a literal': { body: 'null' },
  'a missing field': { body: '{"type":"a","severity":"INFO"}' },
  'a field of another type': event({ type: 7 }),
  'an unknown field': event({ surprise: true }),
  'a severity in lower case': event({ severity: 'info' }),
  'a severity that there is not': event({ severity: 'FATAL' }),
  'a time long ago': event({ capturedAt: '2001-01-01T00:00:00Z' }),
  'a time that is none': event({ capturedAt: 'yesterday' }),
  'a NUL character': event({ message: '\0' }),
  'a lone surrogate': { body: GOOD.replace('"message":"', '"message":"\\ud800') },
  'a number without end': { body: GOOD.replace('{', '{"payload":{"a":1e400},') },
  'JSON that is too deep': { body: `${'['.repeat(100)}${']'.repeat(100)}` },
  'too many values': { body: `[${'1,'.repeat(60_000)}1]` },
  'as many bytes as there may be': { body: GOOD.padEnd(1024 * 1024) },
  'a Host of elsewhere': { host: ['Host: elsewhere.example:99'] },
  'an offer of HTTP/2': {
    headers: ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAEAAEAAAAIAAAAB'],
    answers: 1,
  },
  'headers that nothing reads': {
    headers: [
      'Accept: */*',
      'traceparent: 00-0af7-b7ad-01',
      'Cookie: a=b',
      'Sec-Fetch-Mode: cors',
      'TE: trailers',
    ],
    answers: 1,
  },
  'a body in pieces': {
    length: [`Content-Length: ${GOOD.length}`],
    body: GOOD.slice(0, 10),
    rest: GOOD.slice(10),
  },
};

/** The answers of both ways to each request, also to those that the hot route leaves to the framework. */
const REQUESTS: Record<string, Request> = {
  ...PLAIN,
  'an empty body': { body: '' },
  'a byte too many': { body: GOOD.padEnd(1024 * 1024 + 1) },
  'a length that says more than there may be': { length: ['Content-Length: 99999999'], body: '' },
  'two lengths': { length: ['Content-Length: 5', 'Content-Length: 6'] },
  'a length that is no number': { length: ['Content-Length: many'] },
  'a length with zeros before it': { length: [`Content-Length: 000${GOOD.length}`] },
  'no length at all': { length: [], body: '' },
  'a length beside chunks': { headers: ['Transfer-Encoding: chunked', 'Connection: close'] },
  chunks: {
    length: [],
    headers: ['Transfer-Encoding: chunked', 'Connection: close'],
    body: chunked(GOOD),
  },
  'another transfer coding': { length: [], headers: ['Transfer-Encoding: gzip', 'Connection: close'] },
  'no content type': { type: [] },
  'an empty content type': { type: ['Content-Type:'] },
  'another content type': { type: ['Content-Type: text/plain'] },
  'a content type with a parameter': { type: ['Content-Type: application/json; charset=utf-8'] },
  'a content type in upper case': { type: ['Content-Type: APPLICATION/JSON'] },
  'a content type of the JSON family': { type: ['Content-Type: application/cloudevents+json'] },
  'two content types': { type: [JSON_TYPE, 'Content-Type: text/plain'] },
  NDJSON: { type: ['Content-Type: application/x-ndjson'] },
  'no key': { key: [] },
  'an empty key': { key: ['X-Api-Key:'] },
  'a key that is none': { key: ['X-Api-Key: nonsense'] },
  'a key that nobody has': { key: ['X-Api-Key: {unknown}'] },
  'a revoked key': { key: ['X-Api-Key: {revoked}'] },
  'a revoked key and no JSON': { key: ['X-Api-Key: {revoked}'], body: '{' },
  'a revoked key and a missing field': { key: ['X-Api-Key: {revoked}'], body: '{}' },
  'a key of a deleted project': { key: ['X-Api-Key: {deleted}'] },
  'a key that stands twice': { key: ['X-Api-Key: {key}', 'X-Api-Key: {key}'] },
  'a key as a bearer token': { key: ['Authorization: Bearer {key}'] },
  'a claim': { headers: ['Idempotency-Key: of-both-ways', 'Connection: close'] },
  'an empty claim': { headers: ['Idempotency-Key:', 'Connection: close'] },
  'a claim that is too long': {
    headers: [`Idempotency-Key: ${'k'.repeat(300)}`, 'Connection: close'],
  },
  'a compressed body': {
    body: gzipSync(GOOD),
    headers: ['Content-Encoding: gzip', 'Connection: close'],
  },
  'a body that only claims to be compressed': { headers: ['Content-Encoding: gzip', 'Connection: close'] },
  'a coding that says there is none': { headers: ['Content-Encoding: identity', 'Connection: close'] },
  'an unknown coding': { headers: ['Content-Encoding: compress', 'Connection: close'] },
  'no Host': { host: [] },
  'two Hosts': { host: ['Host: a', 'Host: b'] },
  'an empty Host': { host: ['Host:'] },
  'the whole address in the first line': { line: 'POST http://localhost/ingest/events HTTP/1.1' },
  'a query': { line: 'POST /ingest/events?a=1 HTTP/1.1' },
  'a query that is no UTF-8': { line: 'POST /ingest/events?a=%ff HTTP/1.1' },
  'a slash at the end': { line: 'POST /ingest/events/ HTTP/1.1' },
  'a letter that is written as a code': { line: 'POST /ingest/event%73 HTTP/1.1' },
  'a code that is none': { line: 'POST /ingest/events%zz HTTP/1.1' },
  'upper case in the address': { line: 'POST /INGEST/EVENTS HTTP/1.1' },
  'another route': { line: 'POST /ingest/webhook HTTP/1.1' },
  GET: { line: 'GET /ingest/events HTTP/1.1', body: '' },
  HEAD: { line: 'HEAD /ingest/events HTTP/1.1', body: '' },
  OPTIONS: { line: 'OPTIONS /ingest/events HTTP/1.1', body: '' },
  PUT: { line: 'PUT /ingest/events HTTP/1.1' },
  'a method that is none': { line: 'MAKE /ingest/events HTTP/1.1' },
  'HTTP/1.0': { line: 'POST /ingest/events HTTP/1.0' },
  'HTTP/1.0 without a Host': { line: 'POST /ingest/events HTTP/1.0', host: [] },
  'HTTP/1.0 whose connection goes on': {
    line: 'POST /ingest/events HTTP/1.0',
    headers: ['Connection: keep-alive'],
    answers: 1,
  },
  'HTTP/2.0': { line: 'POST /ingest/events HTTP/2.0' },
  'no version': { line: 'POST /ingest/events' },
  'a wait for permission to send the body': {
    headers: ['Expect: 100-continue', 'Connection: close'],
    rest: GOOD,
    length: [`Content-Length: ${GOOD.length}`],
    body: '',
  },
  'a wait for something else': { headers: ['Expect: a-miracle', 'Connection: close'] },
  'a wish to upgrade': { headers: ['Connection: upgrade, close', 'Upgrade: websocket'] },
  'a header line that goes on in the next one': { headers: ['X-Long: a\r\n b', 'Connection: close'] },
  'a header name with a space behind it': { headers: ['X-Spaced : a', 'Connection: close'] },
  'line breaks without a carriage return': { headers: ['X-Broken: a\nX-Other: b', 'Connection: close'] },
  'a header beyond ASCII': { headers: ['X-Name: Größe', 'Connection: close'] },
  'a body that is longer than its length': {
    length: [`Content-Length: ${GOOD.length}`],
    body: `${GOOD}GARBAGE`,
  },
  'two events behind each other': {
    headers: [],
    length: [`Content-Length: ${GOOD.length}`],
    body: `${GOOD}POST /ingest/events HTTP/1.1\r\nHost: a\r\n${JSON_TYPE}\r\nX-Api-Key: {key}\r\nContent-Length: 1\r\n\r\n{`,
    answers: 2,
  },
  'headers that are too large': { headers: [`X-Large: ${'x'.repeat(20_000)}`] },
};

describe('a request to the hot route', async () => {
  const service = await startTestService({ roles: ['management'] });
  const { context } = service;
  const user = await service.signUp();
  const { apiKey } = await user.createProject();
  const { body: key } = await user.api.post(`/projects/${(await user.createProject()).id}/api-keys`);
  const deleted = await user.createProject();

  let refusal: string | null = null;
  const databaseState = { ...context.databaseState, findIntakeRefusal: () => refusal };
  const { hot, framework, stop } = await startBothWays(context, databaseState);
  afterAll(stop);

  /** Requests that did not reach `node:http`, which gives its sockets a parser. */
  const plain: string[] = [];
  let accepted: object = {};
  hot.on('connection', (socket) => (accepted = socket));

  const ask = (server: Server, request: Request) => exchange(server, toBytes(request, fill), request);
  const fill = (text: string) =>
    text
      .replaceAll('{key}', apiKey)
      .replaceAll('{revoked}', key.rawKey)
      .replaceAll('{deleted}', deleted.apiKey)
      .replaceAll('{unknown}', `${apiKey.slice(0, -4)}AAAA`);

  beforeAll(async () => {
    // The framework's route looks up the owner of the key; from then on it is known.
    for (const key of ['{key}', '{revoked}', '{deleted}']) {
      expect(await ask(hot, { key: [`X-Api-Key: ${key}`], ...closing })).toContain(' 202 ');
    }
    await user.api.delete(`/api-keys/${key.id}`);
    await user.api.delete(`/projects/${deleted.id}`);
  });

  it.each(Object.entries(REQUESTS))('answers with the same bytes by both ways: %s', async (_what, given) => {
    const request = { ...closing, ...given };
    const [fast, usual] = [await ask(hot, request), await ask(framework, request)];
    expect(usual).toMatch(/^HTTP\/1\.1 \d{3} /);
    expect(fast).toBe(usual);
  });

  it.each(Object.entries(REQUESTS))(
    'answers with the same bytes over a kept connection, and ends it alike: %s',
    async (what, { headers = [], ...given }) => {
      const request = { ...given, headers: headers.filter((line) => line !== 'Connection: close') };
      const [fast, usual] = [
        await ask(hot, { ...request, beforeLast: () => void (!('parser' in accepted) && plain.push(what)) }),
        await ask(framework, { ...request, beforeLast: () => {} }),
      ];
      expect(usual).toMatch(/^HTTP\/1\.1 \d{3} /);
      expect(fast).toBe(usual);
    },
  );

  it('leaves requests of an unusual form to the framework', () => {
    expect(plain.toSorted()).toEqual(Object.keys(PLAIN).toSorted());
  });

  it('answers with the same bytes by both ways while the intake is closed', async () => {
    refusal = 'The disk is nearly full.';
    const [fast, usual] = [await ask(hot, closing), await ask(framework, closing)];
    refusal = null;
    expect(usual).toMatch(/^HTTP\/1\.1 503 [^]*retry-after: 5\r\n/);
    expect(fast).toBe(usual);
  });

  it.each(['by the hot route', 'by the framework'])(
    'counts a request with the status of its error %s',
    async (way) => {
      const server = way === 'by the framework' ? framework : hot;
      const count = async () => {
        const text = await (await fetch(urlOf(hot, '/metrics'))).text();
        return Number(/route="\/ingest\/events",status="400"\} (\d+)/.exec(text)?.[1] ?? 0);
      };
      const before = await count();
      await ask(server, { ...closing, body: '{' });
      await waitFor('the answer to be counted', async () => (await count()) > before);
      expect(await count()).toBe(before + 1);
    },
  );
});

function toBytes(request: Request, fill: (text: string) => string): Buffer {
  const {
    line = 'POST /ingest/events HTTP/1.1',
    host = ['Host: localhost'],
    key = ['X-Api-Key: {key}'],
  } = request;
  const { type = [JSON_TYPE], body = GOOD, headers = [] } = request;
  const { length = [`Content-Length: ${Buffer.byteLength(body)}`] } = request;
  const head = [line, ...host, ...key, ...type, ...headers, ...length].join('\r\n');
  return Buffer.concat([
    Buffer.from(fill(`${head}\r\n\r\n`)),
    typeof body === 'string' ? Buffer.from(fill(body)) : body,
  ]);
}

function urlOf(server: Server, path: string): string {
  return `http://127.0.0.1:${portOf(server)}${path}`;
}

const LAST = 'GET /nowhere HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';

/**
 * Sends bytes and reads until the server ends the connection, or as many answers are complete as there should be. With
 * `beforeLast` a last request follows these.
 */
async function exchange(
  server: Server,
  bytes: Buffer,
  { line, rest, beforeLast, answers = beforeLast && 1 }: Request,
): Promise<string> {
  const socket = connect(portOf(server), '127.0.0.1');
  let [received, ended] = ['', false];
  socket.setEncoding('latin1').on('data', (chunk) => (received += String(chunk)));
  socket.on('close', () => (ended = true)).on('error', () => {});
  await new Promise<void>((resolve) => socket.write(bytes, () => resolve()));
  if (rest !== undefined) socket.write(rest);
  await waitFor(
    'the answers',
    () => ended || countAnswers(received, line) >= (answers ?? Number.POSITIVE_INFINITY),
  );
  if (beforeLast) {
    beforeLast();
    socket.write(LAST);
    await waitFor('the end of the connection', () => ended);
  }
  socket.destroy();
  return normalised(received);
}

/** Counts complete answers. The answer to HEAD only has the length of a body. */
function countAnswers(text: string, line = ''): number {
  let [count, rest] = [0, text];
  for (;;) {
    const end = rest.indexOf('\r\n\r\n');
    if (end === -1) return count;
    const said = Number(/content-length: (\d+)/i.exec(rest.slice(0, end))?.[1] ?? 0);
    const length = line.startsWith('HEAD') ? 0 : said;
    if (rest.length < end + 4 + length) return count;
    rest = rest.slice(end + 4 + length);
    count++;
  }
}
