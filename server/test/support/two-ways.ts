import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { refuseConnection } from '../../src/http/refuse-connection.ts';
import { buildIngestion } from '../../src/roles/ingestion.ts';
import type { RoleContext } from '../../src/roles/role.ts';

/**
 * Starts the ingestion service twice, over one application: behind the hot route, and behind a `node:http` server of the same
 * settings whose requests all go to the framework.
 */
export async function startBothWays(context: RoleContext, databaseState = context.databaseState) {
  const { app } = await buildIngestion({ ...context, databaseState }, context.config, context.pool, () => {});
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { keepAliveTimeout, headersTimeout, requestTimeout } = app.server;
  const framework = createServer(
    { requireHostHeader: false, keepAliveTimeout, headersTimeout, requestTimeout },
    (request, response) => app.routing(request, response),
  );
  framework.on('clientError', refuseConnection);
  framework.listen(0, '127.0.0.1');
  await once(framework, 'listening');
  const stop = async () => {
    for (const server of [framework, app.server]) {
      server.close();
      server.closeAllConnections();
    }
    await app.close();
  };
  return { hot: app.server, framework, stop };
}

export function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

/** Replaces values that differ each time: times, ids, and the lengths of bodies with ids of requests. */
export function normalised(text: string): string {
  return text
    .replaceAll(
      /content-length: (\d+)\r\n((?:[^\r]+\r\n)+\r\n[^\r]*?)"requestId":"([\w-]+)"/g,
      (_all, length: string, between: string, id: string) =>
        `content-length: ${Number(length) - id.length}\r\n${between}"requestId":"ID"`,
    )
    .replaceAll(/^Date: .*$/gm, 'Date: DATE')
    .replaceAll(/job_\w{26}/g, 'JOB')
    .replaceAll(/x-request-id: [\w-]+/g, 'x-request-id: ID')
    .replaceAll(/"requestId":"[\w-]+"/g, '"requestId":"ID"');
}
