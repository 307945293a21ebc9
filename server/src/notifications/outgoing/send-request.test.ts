import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { AddressRules } from './address-rules.ts';
import { LookupError } from './look-up-names.ts';
import type { Resolve } from './resolve.ts';
import { createSendRequest, type OutgoingOptions, type OutgoingRequest } from './send-request.ts';

const ORGANIZATION = '018e4a3b-0000-7000-8000-000000000000';
const LOOPBACK = new AddressRules(['127.0.0.0/8']);
const TLS = new URL('../../../test/support/tls/', import.meta.url);

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) {
    server.close();
    if (server instanceof http.Server) server.closeAllConnections();
  }
});

/**
 * Starts a target on a free port of 127.0.0.1 that answers by the listener. @returns its port and the number of
 * requests
 */
async function startTarget(answer: http.RequestListener, tls?: https.ServerOptions) {
  const seen: http.IncomingMessage[] = [];
  const listener: http.RequestListener = (request, response) => {
    seen.push(request);
    answer(request, response);
  };
  const server = tls ? https.createServer(tls, listener) : http.createServer(listener);
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, seen };
}

const at =
  (...addresses: string[]): Resolve =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

const send = (url: string, options: Partial<OutgoingOptions> = {}, request: Partial<OutgoingRequest> = {}) =>
  createSendRequest({ rules: LOOPBACK, resolve: at('127.0.0.1'), ...options })(
    {
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json' },
      body: '{}',
      ...request,
    },
    ORGANIZATION,
  );

describe('an outgoing request', () => {
  it('reaches the host by its name, with body and headers, over a connection of its own', async () => {
    const target = await startTarget((request, response) => {
      response.setHeader('x-connection', String(request.headers.connection));
      request.pipe(response);
    });
    const url = `http://chat.example:${target.port}/hook?a=1`;
    const result = await send(url, {}, { body: '{"text":"ü"}' });
    expect(result).toMatchObject({ kind: 'answer', status: 200, body: '{"text":"ü"}' });
    expect(target.seen[0]?.headers.host).toBe(`chat.example:${target.port}`);
    expect(target.seen[0]?.url).toBe('/hook?a=1');
    expect(result).toMatchObject({ headers: { 'x-connection': 'close' } });
  });

  it('follows no redirect', async () => {
    const inner = await startTarget((_, response) => response.end('secret'));
    const target = await startTarget((_, response) => {
      response.writeHead(302, { location: `http://127.0.0.1:${inner.port}/` }).end();
    });
    expect(await send(`http://chat.example:${target.port}/`)).toMatchObject({ kind: 'answer', status: 302 });
    expect(inner.seen).toEqual([]);
  });

  it('connects to the address that was checked, even if the name resolves to another one a moment later', async () => {
    const inner = await startTarget((_, response) => response.end('secret'));
    const answers = [['203.0.113.1'], ['127.0.0.1']];
    let lookups = 0;
    const resolve: Resolve = async (host, asker) => at(...(answers[lookups++] ?? []))(host, asker);
    const rules = new AddressRules(['203.0.113.1']);
    const result = await send(`http://rebind.example:${inner.port}/`, { rules, resolve, totalLimitMs: 100 });
    expect(result.kind).toBe('failure');
    expect(lookups).toBe(1);
    expect(inner.seen).toEqual([]);
  });

  it('connects nowhere if one of several addresses is refused', async () => {
    const target = await startTarget((_, response) => response.end());
    for (const addresses of [
      ['8.8.8.8', '127.0.0.1'],
      ['127.0.0.1', '8.8.8.8'],
      ['2606:4700::1', '::1'],
      [],
    ]) {
      const result = await send(`http://chat.example:${target.port}/`, {
        rules: new AddressRules([]),
        resolve: at(...addresses),
      });
      expect(result).toMatchObject({ kind: 'failure', cause: 'address_refused' });
    }
    expect(target.seen).toEqual([]);
  });

  it.each([
    'http://127.0.0.1:PORT/',
    'http://127.1:PORT/',
    'http://0x7f.0.0.1:PORT/',
    'http://0177.0.0.1:PORT/',
    'http://2130706433:PORT/',
    'http://0:PORT/',
    'http://[::ffff:127.0.0.1]:PORT/',
    'http://[::]:PORT/',
    'http://127.0.0.1.:PORT/',
  ])('refuses the loopback address however it is written: %s', async (url) => {
    const target = await startTarget((_, response) => response.end());
    const result = await send(url.replace('PORT', String(target.port)), { rules: new AddressRules([]) });
    expect(result).toMatchObject({ kind: 'failure', cause: 'address_refused' });
    expect(target.seen).toEqual([]);
  });

  it.each([
    'http://8.8.8.8\\@127.0.0.1/',
    'http://user:pass@8.8.8.8/',
    'http://8.8.8.8 @127.0.0.1/',
    'http://exa\tmple.com/',
    'http://example.com/\r\nX: y',
    'http://ｅxample.com/',
    'file:///etc/passwd',
    'gopher://127.0.0.1/',
    '//127.0.0.1/',
    '',
    `http://example.com/${'a'.repeat(3_000)}`,
  ])('sends nothing to an address that parsers read differently, or of another protocol: %j', async (url) => {
    let lookups = 0;
    const resolve: Resolve = async () => {
      lookups++;
      return [];
    };
    expect(await send(url, { resolve })).toMatchObject({ kind: 'failure', cause: 'bad_address' });
    expect(lookups).toBe(0);
  });

  it('ends with a target that never answers, and with one that never ends its answer', async () => {
    const never = await startTarget(() => {});
    const slow = await startTarget((_, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write('.'), 10);
      response.on('close', () => clearInterval(timer));
    });
    for (const { port } of [never, slow]) {
      expect(await send(`http://chat.example:${port}/`, { totalLimitMs: 150 })).toMatchObject({
        kind: 'failure',
        cause: 'timeout',
      });
    }
  });

  it('ends with a name that never resolves', async () => {
    const resolve: Resolve = () => new Promise(() => {});
    expect(await send('http://chat.example/', { resolve, totalLimitMs: 50 })).toMatchObject({
      cause: 'timeout',
    });
  });

  it('reads 64 kB of an answer of 10 MB', async () => {
    const target = await startTarget((_, response) => {
      response.on('error', () => {});
      response.end('x'.repeat(10_000_000));
    });
    const result = await send(`http://chat.example:${target.port}/`);
    expect(result).toMatchObject({ kind: 'answer', status: 200, body: 'x'.repeat(65_536) });
  });

  it('tells a reset, before an answer or within it, from an answer', async () => {
    const before = await startTarget((request) => request.socket.resetAndDestroy());
    const within = await startTarget((request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half', () => request.socket.resetAndDestroy());
    });
    const upgraded = await startTarget((request) => {
      request.socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n');
    });
    for (const { port } of [before, within, upgraded]) {
      expect(await send(`http://chat.example:${port}/`)).toMatchObject({
        kind: 'failure',
        cause: 'unreachable',
      });
    }
  });

  it('says why a host is not reached', async () => {
    const fails = (isOwnFault: boolean) =>
      send('http://chat.example/', {
        resolve: async () => {
          throw new LookupError('The host name cannot be resolved (ENOTFOUND).', { isOwnFault });
        },
      });
    const detail = 'The host name cannot be resolved (ENOTFOUND).';
    expect(await fails(false)).toMatchObject({ cause: 'unreachable', detail });
    expect(await fails(true)).toMatchObject({ cause: 'no_lookup', detail });
  });

  it('refuses a header that would be two', async () => {
    expect(
      await send('http://chat.example/', {}, { headers: { authorization: 'Bearer a\r\nX: y' } }),
    ).toMatchObject({
      kind: 'failure',
      cause: 'bad_address',
    });
  });

  it('accepts a certificate for the host name alone, by an authority that is trusted', async () => {
    const [key, cert, ca, other] = await Promise.all(
      ['server-key.pem', 'server.pem', 'ca.pem', 'other-ca.pem'].map((name) =>
        readFile(new URL(name, TLS), 'utf8'),
      ),
    );
    const target = await startTarget((_, response) => response.end('ok'), { key, cert });
    const call = (host: string, trusted: string | undefined) =>
      send(`https://${host}:${target.port}/`, { ...(trusted !== undefined && { ca: trusted }) });
    expect(await call('localhost', ca)).toMatchObject({ kind: 'answer', body: 'ok' });
    for (const result of [
      await call('chat.example', ca),
      await call('localhost', other),
      await call('localhost', undefined),
    ])
      expect(result).toMatchObject({ kind: 'failure', cause: 'certificate' });
    const plain = await startTarget((_, response) => response.end('ok'));
    expect((await send(`https://localhost:${plain.port}/`)).kind).toBe('failure');
  });
});
