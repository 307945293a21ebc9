import { lookup } from 'node:dns/promises';
import { isIPv6 } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createLog } from '../platform/log.ts';
import { createMetrics } from '../roles/metrics.ts';
import { createHttpApp } from './app.ts';
import { listen } from './listen.ts';

describe('a service that listens on localhost', () => {
  it('answers at each address of that name', async () => {
    const app = await createHttpApp({
      service: 'management',
      log: createLog('silent'),
      metrics: createMetrics(),
      trustProxy: false,
      bodyLimit: 100,
      requestTimeoutMs: 10_000,
      decompressRequests: false,
      compressResponses: false,
    });
    app.get('/', () => 'here');
    const port = await listen(app, { host: 'localhost', port: 0, portVariable: 'PORT' });
    const statuses: number[] = [];
    const addresses = await lookup('localhost', { all: true });
    for (const { address } of addresses) {
      const host = isIPv6(address) ? `[${address}]` : address;
      statuses.push((await fetch(`http://${host}:${port}/`, { headers: { connection: 'close' } })).status);
    }
    await app.close();
    expect(statuses).toEqual(addresses.map(() => 200));
  });
});
