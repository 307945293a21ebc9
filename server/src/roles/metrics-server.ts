import { createHttpApp } from '../http/app.ts';
import { closeGracefully } from '../http/close-gracefully.ts';
import { registerHealthRoutes } from '../http/health.ts';
import { listen } from '../http/listen.ts';
import { countFailingTargets } from '../notifications/targets/queries.ts';
import type { Stoppable } from '../platform/shutdown.ts';
import type { RoleContext } from './role.ts';
import type { RoleName } from './role-names.ts';

/** The default port of a process that runs only the worker. */
const WORKER_PORT = 4200;

/**
 * Starts the port for operators: `/livez`, `/readyz` and `/metrics`. A process opens it if one is set, and if it has
 * no other.
 * @returns null if there is none
 */
export async function startMetricsServer(
  { config, databaseState, log, metrics, pool, sockets }: RoleContext,
  roles: readonly RoleName[],
): Promise<(Stoppable & { port: number }) | null> {
  const address = addressOf(config, roles);
  if (!address) return null;
  const app = await createHttpApp({
    service: 'metrics',
    log,
    metrics,
    trustProxy: config.trustProxy,
    bodyLimit: 1024,
    requestTimeoutMs: 10_000,
    decompressRequests: false,
    compressResponses: false,
  });
  registerHealthRoutes(app, pool, metrics, {
    findObstacle: databaseState.findOutage,
    countFailingTargets,
    servesMetrics: true,
  });
  const port = await listen(app, {
    ...address,
    portVariable: 'METRICS_PORT',
    hostVariable: 'METRICS_HOST',
    sockets,
  });
  let closed: Promise<void> = Promise.resolve();
  return {
    port,
    // A process that takes the port over answers for itself.
    stopAccepting: async () => {
      closed = closeGracefully(app, 0);
    },
    closeSockets: () => closed,
  };
}

function addressOf(
  { host, metricsHost, metricsPort }: RoleContext['config'],
  roles: readonly RoleName[],
): { host: string; port: number } | null {
  if (metricsPort !== null) return { host: metricsHost ?? '127.0.0.1', port: metricsPort };
  const isAlone = roles.every((role) => role === 'worker');
  return isAlone ? { host: metricsHost ?? host, port: WORKER_PORT } : null;
}
