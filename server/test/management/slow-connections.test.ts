import type { Server } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { listen } from '../../src/http/listen.ts';
import { buildIngestion } from '../../src/roles/ingestion.ts';
import { buildManagement } from '../../src/roles/management.ts';
import { createTestApp } from '../support/http-app.ts';
import { startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait.ts';

describe('a connection that is slow', async () => {
  const app = await createTestApp({ requestTimeoutMs: 200 });
  app.post('/', () => 'ok');
  const port = await listen(app, { host: '127.0.0.1', port: 0, portVariable: 'PORT' });
  const server: Server = app.server;

  // They wait for the same limits, at the same time.
  it.concurrent.each([
    ['says nothing', ''],
    ['has sent half of its first line', 'POST / HT'],
    ['has sent half of its headers', 'POST / HTTP/1.1\r\nHost: a\r\nX-H'],
    [
      'has sent half of its body',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\nContent-Type: application/json\r\n\r\n{',
    ],
  ])(
    'answers 408 to a connection that is slow and %s, and closes it whether its client does or not',
    async (_what, bytes) => {
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
      socket.on('error', () => {});
      let received = '';
      socket.setEncoding('utf8').on('data', (chunk) => (received += String(chunk)));
      socket.write(bytes);
      await waitFor('the answer', () => received.includes('request_timeout'));
      expect(received).toMatch(/^HTTP\/1\.1 408 Request Timeout\r$/m);
      expect(received).toMatch(/^connection: close\r$/im);
      const count = () =>
        new Promise<number>((resolve) =>
          server.getConnections((_error, connections) => resolve(connections)),
        );
      await waitFor('the socket to be closed', async () => (await count()) === 0);
      socket.destroy();
    },
  );
});

describe('the time limits of the ports', async () => {
  const { context } = await startTestService({ roles: [] });

  it('ends every slow or silent connection on the ports within 60 seconds', async () => {
    const { pool } = context;
    const pools = { pool, sessionPool: pool, readPool: pool };
    const { app: management } = await buildManagement(context, context.config, pools);
    const { app: ingestion } = await buildIngestion(context, context.config, pool, () => {});
    for (const { server } of [management, ingestion]) {
      // Node checks its connections every 5 s.
      expect(server.headersTimeout).toBe(15_000);
      expect(server.requestTimeout).toBeLessThanOrEqual(55_000);
    }
    expect(management.server.requestTimeout).toBe(20_000);
    await Promise.all([management.close(), ingestion.close()]);
  });
});
