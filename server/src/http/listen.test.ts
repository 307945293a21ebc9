import { lookup } from 'node:dns/promises';
import { isIPv6 } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createTestApp } from '../../test/support/http-app.ts';
import { listen } from './listen.ts';

describe('a service that listens on localhost', () => {
  it('answers at each address of that name', async () => {
    const app = await createTestApp();
    app.get('/', () => 'here');
    const port = await listen(app, { host: 'localhost', port: 0, portVariable: 'PORT' });
    const statuses: number[] = [];
    const addresses = await lookup('localhost', { all: true });
    for (const { address } of addresses) {
      const host = isIPv6(address) ? `[${address}]` : address;
      statuses.push((await fetch(`http://${host}:${port}/`, { headers: { connection: 'close' } })).status);
    }
    expect(statuses).toEqual(addresses.map(() => 200));
  });
});
