import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { Client } from '../src/client.ts';
import type { LossReason } from '../src/types.ts';
import { API_KEY, event, startClient } from './support/client.ts';
import { collectErrorLines } from './support/console.ts';
import type { Answer } from './support/fake-ingestion.ts';
import { VirtualTime } from './support/virtual-time.ts';

describe('a lost call', () => {
  it.each<[number, LossReason, number]>([
    [401, 'unauthorized', 1],
    [403, 'unauthorized', 1],
    [302, 'refused', 1],
    [400, 'refused', 1],
    [404, 'refused', 1],
    [413, 'refused', 1],
    [408, 'timeout', 4],
    [429, 'rate_limited', 4],
    [500, 'server_error', 4],
    [503, 'server_error', 4],
  ])('resolves a call to null for HTTP %i, as %s after %i attempts', async (status, reason, attempts) => {
    const lines = collectErrorLines();
    const answer = () => ({ status, headers: { location: '/elsewhere' } });
    const { client, ingestion, time } = await startClient(answer);
    expect(await client.capture(event())).toBeNull();
    expect(await client.captureError(new TypeError('x'), undefined)).toBeNull();
    time.advance(1_000);
    expect(ingestion.requests).toHaveLength(2 * attempts);
    expect(client.stats()).toMatchObject({ sent: 0, waiting: 0, underWay: 0, lost: { [reason]: 2 } });
    expect(lines).toHaveLength(2);
    expect(lines[0]).toContain(`[tocsin] capture "deploy" was lost: ${reason}, HTTP ${status}`);
    expect(lines[1]).toContain(`[tocsin] captureError "TypeError" was lost: ${reason}, HTTP ${status}`);
  });

  it('reports the objection of the server in one line and without the key', async () => {
    const lines = collectErrorLines();
    const detail = `The key ${API_KEY}\nis not\r\nwanted`;
    const { client } = await startClient(() => ({
      status: 400,
      body: { code: 'validation_failed', detail },
    }));
    await client.capture(event({ type: `a\nb ${API_KEY}` }));
    expect(lines).toEqual([
      '[tocsin] capture "a b [API key]" was lost: refused, HTTP 400 validation_failed The key [API key] is not wanted',
    ]);
  });

  it.each<[string, Answer]>([
    ['a page of a proxy', { status: 200, body: '<html>' }],
    ['an empty answer', { status: 204 }],
    ['another JSON', { status: 202, body: { jobId: 7 } }],
    ['JSON null', { status: 202, body: 'null' }],
    ['an endless body', { status: 202, body: ' '.repeat(5_000_000) }],
  ])('counts a success with %s as invalid_response, and does not repeat the call', async (_, answer) => {
    const lines = collectErrorLines();
    const { client, ingestion } = await startClient(() => answer);
    expect(await client.capture(event())).toBeNull();
    expect(ingestion.requests).toHaveLength(1);
    expect(client.stats().lost.invalid_response).toBe(1);
    expect(lines).toHaveLength(1);
  });

  it('names the code of a network error', async () => {
    const lines = collectErrorLines();
    const baseUrl = await addressWithoutListener();
    const client = new Client({ apiKey: API_KEY, baseUrl }, new VirtualTime().runtime);
    expect(await client.capture(event())).toBeNull();
    expect(lines).toEqual(['[tocsin] capture "deploy" was lost: network, ECONNREFUSED, after 4 attempts']);
  });

  const unreadable = {
    get apiKey() {
      throw new Error('no');
    },
  };
  const { revoke, proxy: revoked } = Proxy.revocable({}, {});
  revoke();
  it.each<[string, LossReason, unknown]>([
    ['no options', 'no_api_key', undefined],
    ['null', 'no_api_key', null],
    ['no key', 'no_api_key', {}],
    ['an empty key', 'no_api_key', { apiKey: '' }],
    ['a key in two lines', 'no_api_key', { apiKey: 'a\nb' }],
    ['a number for a key', 'no_api_key', { apiKey: 7 }],
    ['a key that cannot be read', 'no_api_key', unreadable],
    ['options that cannot be read', 'no_api_key', revoked],
    ['an empty address', 'invalid_base_url', { apiKey: API_KEY, baseUrl: '' }],
    ['an address without protocol', 'invalid_base_url', { apiKey: API_KEY, baseUrl: 'localhost:4100' }],
    ['another protocol', 'invalid_base_url', { apiKey: API_KEY, baseUrl: 'ftp://host' }],
    [
      'a password in the address',
      'invalid_base_url',
      { apiKey: API_KEY, baseUrl: 'http://user:secret@host' },
    ],
    [
      'no text for an address',
      'invalid_base_url',
      { apiKey: API_KEY, baseUrl: Object.create(null) as unknown },
    ],
  ])('reports options with %s as %s, at construction and at the call', async (_, reason, options) => {
    const lines = collectErrorLines();
    const client = new Client(options, new VirtualTime().runtime);
    expect(lines).toHaveLength(1);
    expect(await client.capture(event())).toBeNull();
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain(reason);
    expect(client.stats().lost[reason]).toBe(1);
  });

  it('counts a call as lost with the reason internal if fetch is missing or broken', async () => {
    const lines = collectErrorLines();
    const { runtime } = new VirtualTime({ fetch: undefined as never });
    const client = new Client(
      { apiKey: API_KEY },
      {
        ...runtime,
        random: () => {
          throw new Error('no chance');
        },
      },
    );
    expect(await client.capture(event())).toBeNull();
    expect(lines).toEqual(['[tocsin] capture "deploy" was lost: internal, no chance']);
  });

  it('reports the first loss at once, and further ones in one line a second', async () => {
    const lines = collectErrorLines();
    const time = new VirtualTime();
    const client = new Client({}, time.runtime);
    lines.length = 0;
    for (let index = 0; index < 1_000; index++) void client.capture(event());
    expect(lines).toEqual([
      '[tocsin] capture "deploy" was lost: no_api_key, the option apiKey is missing or not a key',
    ]);
    time.advance(1_000);
    expect(lines.slice(1)).toEqual([
      '[tocsin] 999 more calls were lost (no_api_key 999); the last: capture "deploy" was lost: no_api_key, the option apiKey is missing or not a key',
    ]);
    void client.captureError(new TypeError('x'), undefined);
    expect(lines).toHaveLength(2);
    time.advance(1_000);
    expect(lines[2]).toContain('captureError "TypeError" was lost: no_api_key');
    time.advance(1_000);
    expect(lines).toHaveLength(3);
    expect(time.pendingTimers).toBe(0);
    expect(client.stats().lost.no_api_key).toBe(1_001);
  });

  it('survives a console.error that throws', async () => {
    const spy = vi.spyOn(console, 'error').mockImplementation(() => {
      throw new Error('no console');
    });
    const client = new Client({}, new VirtualTime().runtime);
    expect(await client.capture(event())).toBeNull();
    expect(client.stats().lost.no_api_key).toBe(1);
    spy.mockRestore();
  });

  it('survives a console.error that captures its lines', async () => {
    const client = new Client({}, new VirtualTime().runtime);
    const spy = vi.spyOn(console, 'error').mockImplementation((line: unknown) => {
      void client.capture(event({ message: line }));
    });
    expect(await client.capture(event())).toBeNull();
    expect(client.stats().lost.no_api_key).toBe(2);
    spy.mockRestore();
  });
});

async function addressWithoutListener(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}
