import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';

const SCRIPT = fileURLToPath(new URL('../../bin/health.js', import.meta.url));

describe('the health check of the image', () => {
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });

  async function listen(host: string, answer: (response: ServerResponse) => void): Promise<string> {
    const server = createServer((_request, response) => answer(response)).listen(0, host);
    servers.push(server);
    await once(server, 'listening');
    return String((server.address() as AddressInfo).port);
  }

  /** Returns a port on which nothing listens. */
  async function closedPort(): Promise<string> {
    const port = await listen('127.0.0.1', () => {});
    const server = servers.pop();
    server?.close();
    if (server) await once(server, 'close');
    return port;
  }

  const live = (response: ServerResponse) => response.end('ok');
  const broken = (response: ServerResponse) => response.writeHead(500).end();

  async function check(environment: Record<string, string>): Promise<number> {
    try {
      await promisify(execFile)(process.execPath, [SCRIPT], { env: { ...process.env, ...environment } });
      return 0;
    } catch (error) {
      return (error as { code: number }).code;
    }
  }

  it('passes the health check if the only open port answers', async () => {
    const [port, closed] = [await listen('127.0.0.1', live), await closedPort()];
    expect(await check({ HOST: '0.0.0.0', PORT: closed, INGEST_PORT: port, METRICS_PORT: closed })).toBe(0);
  });

  it('fails the health check if one of the open ports does not answer with 200', async () => {
    const [good, bad] = [await listen('127.0.0.1', live), await listen('127.0.0.1', broken)];
    expect(await check({ HOST: '', PORT: good, INGEST_PORT: bad, METRICS_PORT: await closedPort() })).toBe(1);
  });

  it('fails the health check if no port is open', async () => {
    const closed = await closedPort();
    expect(await check({ HOST: '127.0.0.1', PORT: closed, INGEST_PORT: closed, METRICS_PORT: closed })).toBe(
      1,
    );
  });

  it('reaches a process that listens on an IPv6 address', async () => {
    const [port, closed] = [await listen('::1', live), await closedPort()];
    for (const HOST of ['::1', '::']) {
      expect(await check({ HOST, PORT: port, INGEST_PORT: closed, METRICS_PORT: closed })).toBe(0);
    }
  });
});
