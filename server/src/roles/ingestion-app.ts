import type { Config } from '../config.ts';
import type { Pool } from '../database/database.ts';
import { eventsOn } from '../events/read/events-on.ts';
import { createHttpApp } from '../http/app.ts';
import { registerHealthRoutes } from '../http/health.ts';
import type { HttpApp } from '../http/http-app.ts';
import { registerOpenApi } from '../http/openapi.ts';
import { registerReference } from '../http/static-pages.ts';
import { keyOwnerOf } from '../ingestion/authentication/authenticate.ts';
import { registerCloudEventHandshake } from '../ingestion/cloudevents/cloud-event-route.ts';
import { registerEnvelopeRoutes } from '../ingestion/envelopes/routes.ts';
import { registerHookRoutes } from '../ingestion/hooks/routes.ts';
import { createHotRoute } from '../ingestion/hot-route/serve-event.ts';
import { observeRequests } from '../ingestion/requests/observe-requests.ts';
import { EVENT_BODY_LIMIT, registerIngestionRoutes } from '../ingestion/routes.ts';
import { registerUntakenRoutes } from '../ingestion/untaken-routes.ts';
import { countFailingTargets } from '../notifications/targets/queries.ts';
import { registerCheckInRoute } from '../schedules/check-in-routes.ts';
import { registerPingRoutes } from '../schedules/pings/routes.ts';
import type { IngestionParts } from './ingestion-parts.ts';
import type { RoleContext } from './role.ts';
import { findSpoolingSince } from './spooling.ts';

/** Ten megabytes over a slow line. Sockets are checked every 5 s, so that none is slow for longer than a minute. */
export const INGESTION_TIMEOUT_MS = 55_000;

/** Builds the API of ingestion over its parts. */
export async function createIngestionApp(
  context: RoleContext,
  config: Pick<Config, 'trustProxy' | 'metricsPort'>,
  pool: Pool,
  parts: IngestionParts,
): Promise<HttpApp> {
  const { clock, databaseState, log, metrics, monotonicMs } = context;
  const { requests, spooling } = parts;
  const app = await createHttpApp({
    service: 'ingestion',
    log,
    metrics,
    trustProxy: config.trustProxy,
    bodyLimit: EVENT_BODY_LIMIT,
    requestTimeoutMs: INGESTION_TIMEOUT_MS,
    decompressRequests: true,
    compressResponses: false,
    frontDoor: createHotRoute({ ...parts, clock, monotonicMs, scrubSettingsOf: parts.scrubbing.settingsOf }),
  });
  observeRequests(app, requests);
  app.server.on('connection', () => parts.pace.noteConnection());
  await registerOpenApi(app, {
    title: 'Tocsin ingestion API',
    description: 'Applications send events here, with a project’s API key. 202 means durable.',
    scheme: 'apiKey',
  });
  registerHealthRoutes(app, pool, metrics, {
    findObstacle: databaseState.findIntakeRefusal,
    countFailingTargets,
    servesMetrics: config.metricsPort === null,
    findSpoolingSince: () => findSpoolingSince(spooling, clock),
  });
  await registerReference(app, { hasStart: false });

  await registerRoutes(app, context, pool, parts);
  return app;
}

async function registerRoutes(
  app: HttpApp,
  { clock, encryption, metrics }: RoleContext,
  pool: Pool,
  parts: IngestionParts,
): Promise<void> {
  const { authentication, usage } = parts;
  const scrubSettingsOf = parts.scrubbing.settingsOf;
  const shared = { ...parts, pool, storedEvents: eventsOn(pool), clock, scrubSettingsOf };
  const inScope = (register: (scope: HttpApp) => void) =>
    app.register(async (scope) => register(scope as HttpApp));

  await inScope((scope) => {
    registerIngestionRoutes(scope, shared);
    registerCheckInRoute(
      scope,
      { pool, clock, metrics },
      { ownerOf: keyOwnerOf, requireKey: (request) => authentication.requireValidKey(request) },
    );
  });
  registerUntakenRoutes(app);
  await inScope((scope) =>
    registerEnvelopeRoutes(scope, { ...shared, authentication: parts.envelopeAuthentication }),
  );
  await inScope(registerCloudEventHandshake);
  await inScope((scope) => registerHookRoutes(scope, { ...shared, encryption }));
  const noteUse = (keyId: string) => usage.note(keyId, clock.now());
  await inScope((scope) => registerPingRoutes(scope, { pool, clock, metrics, noteUse, scrubSettingsOf }));
}
