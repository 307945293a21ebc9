import { randomUUID } from 'node:crypto';
import { readConfig } from '../config.ts';
import { createPool } from '../database/database.ts';
import { OUTSIDE_DATABASE } from '../database/state.ts';
import { ListeningSockets } from '../http/sockets/listening-sockets.ts';
import { systemClock } from '../platform/clock.ts';
import { Encryption } from '../platform/encryption/encryption.ts';
import { createLog } from '../platform/log.ts';
import { Loop } from '../platform/loop.ts';
import { PASSWORD_COST } from '../tenancy/accounts/passwords.ts';
import { buildIngestion } from './ingestion.ts';
import { buildManagement } from './management.ts';
import { createMetrics } from './metrics.ts';
import type { RoleContext } from './role.ts';

/**
 * The OpenAPI documents of both services, from the applications themselves. Nothing listens, and no database is
 * needed: the pool connects at its first query, and building makes none if the secret is given.
 */
export async function describeApis(): Promise<{ management: object; ingestion: object }> {
  const config = readConfig({ LOG_LEVEL: 'silent', SESSION_SECRET: randomUUID() });
  const connection = { connectionString: 'postgres://nobody@127.0.0.1:1/none' };
  const makePool = () =>
    createPool({ connection, applicationName: 'tocsin-openapi', maxConnections: 2, onError: () => {} });
  const pool = makePool();
  const [log, metrics] = [createLog(config.logLevel), createMetrics()];
  const context: RoleContext = {
    config,
    connection,
    pool,
    databaseState: OUTSIDE_DATABASE,
    encryption: new Encryption([]),
    passwordCost: PASSWORD_COST,
    waitFactor: 1,
    createPool: makePool,
    createLoop: (declaration) => new Loop({ ...declaration, log, metrics }),
    clock: systemClock,
    monotonicMs: () => performance.now(),
    nameServers: [],
    databaseTime: async () => systemClock.now(),
    log,
    metrics,
    sockets: new ListeningSockets(),
    processId: randomUUID(),
  };
  const { app: management } = await buildManagement(context, config, {
    pool,
    sessionPool: pool,
    readPool: pool,
  });
  const { app: ingestion } = await buildIngestion(context, config, pool, () => {});
  try {
    await Promise.all([management.ready(), ingestion.ready()]);
    return { management: management.swagger(), ingestion: ingestion.swagger() };
  } finally {
    await Promise.all([management.close(), ingestion.close()]);
    await pool.end();
  }
}

interface DescribedApi {
  paths?: Record<string, Record<string, { summary?: string; tags?: readonly string[] }>>;
}

/** The page that lists the endpoints of both services by tag, as it is committed. */
export function formatEndpoints({
  management,
  ingestion,
}: {
  management: object;
  ingestion: object;
}): string {
  return `# Endpoints

\`npm run openapi\` writes this page. A running service has the whole reference, with parameters, answers and scopes, under
\`/docs\`; the committed OpenAPI documents are [management.json](../openapi/management.json) and
[ingestion.json](../openapi/ingestion.json). Both ports also have \`GET /metrics\`, and the management port \`GET /ws\`, a WebSocket,
and \`GET /sdk.tgz\`, the SDK for \`npm install\`.

## Management API, port 4000
${listEndpoints(management)}
## Ingestion API, port 4100
${listEndpoints(ingestion)}`;
}

function listEndpoints({ paths = {} }: DescribedApi): string {
  const byTag = new Map<string, string[]>();
  for (const [address, operations] of Object.entries(paths).toSorted(byKey)) {
    for (const [method, { summary = '', tags: [tag = ''] = [] }] of Object.entries(operations).toSorted(
      byKey,
    )) {
      const lines = byTag.get(tag) ?? [];
      lines.push(`- \`${method.toUpperCase()} ${address.replaceAll(/{(\w+)}/g, ':$1')}\`: ${summary}`);
      byTag.set(tag, lines);
    }
  }
  return [...byTag]
    .toSorted(byKey)
    .map(([tag, lines]) => `\n### ${tag}\n\n${lines.join('\n')}\n`)
    .join('');
}

/** A document as it is committed: indented by one space, which keeps it below 1 MB, its keys in one order whatever the order of registration. */
export function formatDocument(document: object): string {
  return `${JSON.stringify(sortKeys(document), null, 1)}\n`;
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  const sorted = Object.entries(value).toSorted(byKey);
  return Object.fromEntries(sorted.map(([key, inner]) => [key, sortKeys(inner)]));
}

function byKey([left]: [string, unknown], [right]: [string, unknown]): number {
  return left < right ? -1 : 1;
}
