import { connect } from 'node:net';
import { Readable } from 'node:stream';
import zlib from 'node:zlib';
import type { RouteOptions } from 'fastify';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { RouteMethods } from '../src/http/route-methods.ts';
import { MAX_ENVELOPE_BYTES } from '../src/ingestion/envelopes/receive.ts';
import { MAX_HEADER_BYTES } from '../src/ingestion/envelopes/routes.ts';
import { MAX_BULK_BYTES } from '../src/ingestion/intake/limits.ts';
import { EVENT_BODY_LIMIT } from '../src/ingestion/routes.ts';
import { ERRORS } from '../src/roles/errors.ts';
import { findFreePort } from './support/program.ts';
import { startTestService } from './support/service.ts';
import { longForm } from './support/test-length.ts';

/** A body larger than any route accepts. */
const BOMB = Buffer.alloc(MAX_ENVELOPE_BYTES + EVENT_BODY_LIMIT, ' ');
const GZIP_BOMB = zlib.gzipSync(BOMB);
const ZSTD = 'zstdCompressSync' in zlib ? zlib.zstdCompressSync : null;

/** Codings with their bodies; all but `identity` are small. */
const BODIES: [coding: string, body: Buffer][] = [
  ['identity', GZIP_BOMB],
  ['gzip', GZIP_BOMB],
  ['deflate', zlib.deflateSync(BOMB)],
  ['br', zlib.brotliCompressSync(BOMB, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } })],
  ['zstd', ZSTD ? (ZSTD as typeof zlib.gzipSync)(BOMB) : GZIP_BOMB],
  ['compress', GZIP_BOMB],
  ['gzip, gzip', zlib.gzipSync(GZIP_BOMB)],
];

/** Maximum output of one more turn of a decoder before it is stopped. */
const ONE_CHUNK = 64 * 1024;

/** Public addresses, which read no body. */
const PUBLIC =
  /^(GET \/($|livez|readyz|metrics|openapi\.json|docs|app|sdk\.tgz|auth\/options$)|OPTIONS \/(api|t|ingest)\/)/;

const LARGE = /^\/ingest\/(?:bulk|cloudevents|(?:alertmanager|grafana)\/?)$/;
const OTLP = /^\/v1\//;
const SENTRY = /^\/api\/:number\//;
const TUNNEL = '/t/:number';
/** Addresses of what is not taken, which read no body either. */
const UNTAKEN = /^\/(v1\/metrics|batch\/?|api\/:number\/minidump\/?)$/;
const PING = /^\/(ping|api\/push)\//;
const HOOK = '/hooks/:token';

/** In the order of their start. */
const SERVICES = ['ingestion', 'management', 'metrics'] as const;
type Service = (typeof SERVICES)[number];
type Headers = Record<string, string>;

const DECODERS = new Set(['Gunzip', 'Inflate', 'InflateRaw', 'Unzip', 'BrotliDecompress', 'ZstdDecompress']);

/** Counts the output of all decoders of the process. */
function countDecodedBytes() {
  const counted = { bytes: 0, reset: () => {} };
  // Gunzip, Zlib, ZlibBase: the last is the base of all coders.
  let base: Readable = zlib.createGunzip();
  for (let steps = 0; steps < 3; steps++) base = Object.getPrototypeOf(base);
  const spy = vi.spyOn(base, 'push').mockImplementation(function (this: Readable, chunk: Buffer | null) {
    if (chunk !== null && DECODERS.has(this.constructor.name)) counted.bytes += chunk.length;
    return Readable.prototype.push.call(this, chunk);
  });
  // The spy keeps what it was called with: the whole output.
  counted.reset = () => {
    spy.mockClear();
    counted.bytes = 0;
  };
  return counted;
}

describe('a compressed body that expands to more than any address takes', async () => {
  const decoded = countDecodedBytes();
  const added = vi.spyOn(RouteMethods.prototype, 'add');
  const metricsPort = await findFreePort();
  const service = await startTestService({ environment: { METRICS_PORT: String(metricsPort) } });
  const user = await service.signUp();
  const { id, apiKey } = await user.createProject();
  const { number } = (await user.api.get(`/projects/${id}`)).body;
  afterAll(() => void vi.restoreAllMocks());
  beforeEach(() => decoded.reset());

  const apps = [...new Set(added.mock.contexts)];
  const routes = added.mock.calls.flatMap(([route]: [RouteOptions], index): [Service, string, string][] => {
    const name = SERVICES[apps.indexOf(added.mock.contexts[index])] ?? 'metrics';
    return [route.method]
      .flat()
      .filter((method) => method !== 'HEAD')
      .map((method) => [name, method, route.url]);
  });

  const tokenOf = ({ pingUrl }: { pingUrl: string }) => new URL(pingUrl).pathname.replace('/ping/', '');
  const schedulesPath = `/projects/${id}/schedules`;
  const { body: schedule } = await user.api.post(schedulesPath, { slug: 'nightly', intervalSeconds: 3_600 });
  const replaced = await user.api.post(`${schedulesPath}/${schedule.id}/ping-url`);
  const [deadPingToken, pingToken] = [tokenOf(schedule), tokenOf(replaced.body)];
  const weekly = await user.api.post(schedulesPath, { slug: 'weekly', intervalSeconds: 604_800 });
  // A token takes so many pings a minute.
  const restedToken = tokenOf(weekly.body);

  const { body: hook } = await user.api.post(`/projects/${id}/hooks`, { kind: 'github' });

  const newKey = async (): Promise<{ id: string; rawKey: string }> =>
    (await user.api.post(`/projects/${id}/api-keys`, { name: 'A key' })).body;
  const { body: pingKey } = await user.api.post(`/projects/${id}/api-keys`, { use: 'ping' });
  const revokedKey = await newKey();
  await user.api.delete(`/api-keys/${revokedKey.id}`);
  const { body: token } = await user.api.post('/tokens', { name: 'Dead', scopes: ['read', 'write'] });
  await user.api.delete(`/tokens/${token.id}`);
  const deadCookie = await endedSession();

  async function endedSession(): Promise<string> {
    const guest = await service.signUp();
    const cookie = guest.api.cookie ?? '';
    await guest.api.post('/auth/logout');
    return cookie;
  }

  const STRANGERS: Record<Service, Headers[]> = {
    management: [{}, { cookie: deadCookie }, { authorization: `Bearer ${token.token}` }],
    ingestion: [{}, { 'x-api-key': revokedKey.rawKey }],
    metrics: [{}],
  };
  const CREDENTIALS: Record<Service, Headers> = {
    management: { cookie: user.api.cookie ?? '' },
    ingestion: { 'x-api-key': apiKey },
    metrics: {},
  };

  const urlOf = (name: Service) =>
    ({
      ingestion: service.ingestionUrl,
      management: service.managementUrl,
      metrics: service.metricsUrl ?? '',
    })[name];
  const pathOf = (url: string, token: string, key: string) =>
    url
      .replace(':token/:part/:report', `${token === deadPingToken ? token : pingKey.rawKey}/nightly/start`)
      .replace(/(ping|push)\/:token/, `$1/${token}`)
      .replace(':part', '1')
      .replace(':key', key)
      .replace(HOOK, new URL(hook.url).pathname)
      .replace(/^\S*:number\S*/, (address) => `${address.replace(':number', number)}?sentry_key=${key}`)
      .replace(':slug', 'nightly')
      .replaceAll(/:\w+|\*/g, 'x');

  /** Sends a body without its last byte, or another part of it, on its own connection. */
  function begin(name: Service, line: string, headers: Headers, body: Buffer) {
    const { hostname, port } = new URL(urlOf(name));
    // A character is a byte.
    const socket = connect(Number(port), hostname).setEncoding('latin1');
    const answer = new Promise<{ status: number; body: string }>((resolve) => {
      let received = '';
      socket.on('data', (chunk) => {
        received += String(chunk);
        const end = received.indexOf('\r\n\r\n') + 4;
        const [, length = '0'] = /^content-length: (\d+)/im.exec(received) ?? [];
        if (end < 4 || received.length < end + Number(length)) return;
        resolve({ status: Number(received.split(' ')[1]), body: received.slice(end) });
      });
      // The service may close the connection before the last byte.
      socket.on('error', () => {});
      socket.on('close', () => resolve({ status: 0, body: '{}' }));
    });
    const lines = Object.entries({
      'content-type': 'application/json',
      'content-length': body.length,
      ...headers,
    })
      .map(([header, value]) => `${header}: ${value}\r\n`)
      .join('');
    const head = `${line} HTTP/1.1\r\nHost: localhost\r\n${lines}\r\n`;
    const written = new Promise<void>((resolve) => {
      socket.write(Buffer.concat([Buffer.from(head), body.subarray(0, -1)]), () => resolve());
    });
    const finish = async () => {
      socket.write(body.subarray(-1));
      const result = await answer;
      socket.destroy();
      return result;
    };
    return { written, answer, socket, finish };
  }

  const heldBack = async (name: Service, begun: ReturnType<typeof begin>[]): Promise<void> => {
    await Promise.all(begun.map(({ written }) => written));
    await fetch(`${urlOf(name)}/livez`);
  };

  it('finds the routes of all services', () => {
    expect(routes).toContainEqual(['ingestion', 'POST', '/ping/:token']);
    expect(routes).toContainEqual(['management', 'POST', '/auth/login']);
    expect(routes).toContainEqual(['metrics', 'GET', '/metrics']);
    expect(routes.length).toBeGreaterThan(100);
  });

  it.each(routes)('decompresses no body for a stranger of the %s API at %s %s', async (name, method, url) => {
    const path = pathOf(url, deadPingToken, revokedKey.rawKey);
    const strangers = STRANGERS[name];
    // Each address gets every coding, each from another stranger; the long form, from all of them.
    const begun = BODIES.flatMap(([coding, body], index) =>
      strangers
        .filter((_, stranger) => longForm || (stranger + index + url.length) % strangers.length === 0)
        .map((credentials) =>
          begin(name, `${method} ${path}`, { ...credentials, 'content-encoding': coding }, body),
        ),
    );
    await heldBack(name, begun);
    const answers = await Promise.all(begun.map(({ finish }) => finish()));
    // The key of a tunnel is in the headers of the envelope, at the beginning of the body.
    if (url === TUNNEL) expect(decoded.bytes).toBeLessThanOrEqual(begun.length * 2 * MAX_HEADER_BYTES);
    else expect(decoded.bytes).toBe(0);
    for (const { status, body } of answers) {
      if (PUBLIC.test(`${method} ${url}`) && status < 400) continue;
      const { code } = JSON.parse(body);
      // Addresses of OTLP refuse with the codes of gRPC.
      if (OTLP.test(url)) expect([status, code]).toEqual([401, 16]);
      else
        expect([ERRORS[code as keyof typeof ERRORS]?.status, Math.floor(status / 100)]).toEqual([status, 4]);
    }
  });

  const limitOf = (url: string) => {
    if (url === TUNNEL) return 0;
    if (SENTRY.test(url)) return MAX_ENVELOPE_BYTES;
    return LARGE.test(url) || OTLP.test(url) ? MAX_BULK_BYTES : EVENT_BODY_LIMIT;
  };
  const TAKING = routes.filter(
    ([name, method, url]) => name === 'ingestion' && method === 'POST' && !UNTAKEN.test(url),
  );
  it.each(TAKING)(
    'decompresses to the limit at most for a key of the %s API at %s %s',
    async (name, method, url) => {
      const isRead = !PING.test(url) && url !== TUNNEL && url !== HOOK;
      const path = pathOf(url, pingToken, apiKey);
      const limit = limitOf(url);
      for (const [coding, body] of BODIES) {
        decoded.reset();
        const begun = begin(
          name,
          `${method} ${path}`,
          { 'x-api-key': apiKey, 'content-encoding': coding },
          body,
        );
        await heldBack(name, [begun]);
        expect(decoded.bytes).toBe(0);
        const { status } = await begun.finish();
        expect(decoded.bytes).toBeLessThanOrEqual(limit + ONE_CHUNK);
        const isDecoded = isRead && ['gzip', 'deflate', 'br', ...(ZSTD ? ['zstd'] : [])].includes(coding);
        if (isDecoded) expect([status, decoded.bytes > 0]).toEqual([413, true]);
        else if (url !== TUNNEL) expect(decoded.bytes).toBe(0);
      }
    },
  );

  const REFUSING = routes.filter(([name]) => name !== 'ingestion');
  it.each(REFUSING)(
    'refuses compressed bodies before it reads them, with a session, of the %s API at %s %s',
    async (name, method, url) => {
      const line = `${method} ${pathOf(url, '', '')}`;
      const begun = BODIES.filter(([coding]) => coding !== 'identity').map(([coding, body]) =>
        begin(name, line, { ...CREDENTIALS[name], 'content-encoding': coding }, body),
      );
      await heldBack(name, begun);
      const answers = await Promise.all(begun.map(({ finish }) => finish()));
      expect(decoded.bytes).toBe(0);
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 415));
    },
  );

  it.each(routes)(
    'answers before a body that is announced to have 1 GB, with credentials, at the %s API for %s %s',
    async (name, method, url) => {
      const line = `${method} ${pathOf(url, restedToken, apiKey)}`;
      const begun = begin(
        name,
        line,
        { ...CREDENTIALS[name], 'content-length': '1000000000' },
        Buffer.from('{}'),
      );
      const { status } = await begun.answer;
      begun.socket.destroy();
      if (method === 'GET' || method === 'OPTIONS') expect(status).toBeGreaterThan(0);
      else if (UNTAKEN.test(url)) expect([404, 413, 415]).toContain(status);
      else expect(status).toBe(413);
    },
  );

  it.each(['/ingest/webhook', '/ingest/bulk'])(
    'decompresses to the limit at most at %s for a key that was in use until it was revoked',
    async (path) => {
      const key = await newKey();
      const headers = { 'x-api-key': key.rawKey, 'content-encoding': 'gzip' };
      const event = Buffer.from(zlib.gzipSync('{"type":"hello","severity":"INFO","message":"Hello"}'));
      await begin('ingestion', 'POST /ingest/events', headers, event).finish();
      await user.api.delete(`/api-keys/${key.id}`);
      decoded.reset();
      const { status } = await begin('ingestion', `POST ${path}`, headers, GZIP_BOMB).finish();
      expect(status).toBe(401);
      expect(decoded.bytes).toBeLessThanOrEqual(MAX_BULK_BYTES + ONE_CHUNK);
    },
  );
});
