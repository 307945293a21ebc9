import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { Pool } from '../database/database.ts';
import { createHttpApp } from '../http/app.ts';
import { closeGracefully } from '../http/close-gracefully.ts';
import { registerHealthRoutes } from '../http/health.ts';
import type { HttpApp } from '../http/http-app.ts';
import { listen, listenersOf } from '../http/listen.ts';
import { registerOpenApi } from '../http/openapi.ts';
import { registerReference } from '../http/static-pages.ts';
import { KeyAuthentication, keyOwnerOf } from '../ingestion/authentication/authenticate.ts';
import { KeyLookup } from '../ingestion/authentication/key-lookup.ts';
import { declareUsageLoop, KeyUsage } from '../ingestion/authentication/key-usage.ts';
import { registerCloudEventHandshake } from '../ingestion/cloudevents/cloud-event-route.ts';
import { registerEnvelopeRoutes } from '../ingestion/envelopes/routes.ts';
import { declareChoiceLoop } from '../ingestion/event/choice-loop.ts';
import { ProjectScrubbing } from '../ingestion/event/project-scrubbing.ts';
import { declareScrubbedLoop } from '../ingestion/event/scrubbed-values.ts';
import { registerHookRoutes } from '../ingestion/hooks/routes.ts';
import { EVENT_QUEUE } from '../ingestion/hot-route/event-task.ts';
import { createHotRoute } from '../ingestion/hot-route/serve-event.ts';
import { AnswerPace } from '../ingestion/intake/answer-pace.ts';
import { Intake } from '../ingestion/intake/intake.ts';
import { declareItemCountLoop, ItemCounts } from '../ingestion/intake/item-counts.ts';
import { declareQuotaLoop, Quotas } from '../ingestion/quotas/quotas.ts';
import { observeRequests } from '../ingestion/requests/observe-requests.ts';
import { declareRequestLoop, RequestCounts } from '../ingestion/requests/request-counts.ts';
import { EVENT_BODY_LIMIT, registerIngestionRoutes } from '../ingestion/routes.ts';
import type { Spooling } from '../ingestion/spool/accept-or-spool.ts';
import { Outage } from '../ingestion/spool/outage.ts';
import { Spool } from '../ingestion/spool/spool.ts';
import { declareSpoolLoop } from '../ingestion/spool/spool-loop.ts';
import { declareKeyWatchLoop } from '../ingestion/spool/watch-keys.ts';
import { registerUntakenRoutes } from '../ingestion/untaken-routes.ts';
import { countFailingTargets } from '../notifications/targets/queries.ts';
import type { Clock } from '../platform/clock.ts';
import { findMaxConnections } from '../platform/file-descriptors.ts';
import { KeyedQueue } from '../platform/keyed-queue.ts';
import { Loop, type LoopDeclaration } from '../platform/loop.ts';
import { declareLivenessLoop } from '../queue/liveness-loop.ts';
import { upsertLiveness } from '../queue/liveness-queries.ts';
import { createPostgresQueue } from '../queue/postgres-queue.ts';
import type { IntakeQueue } from '../queue/queue.ts';
import { registerCheckInRoute } from '../schedules/check-in-routes.ts';
import { registerPingRoutes } from '../schedules/pings/routes.ts';
import { findKeyOwners } from '../tenancy/api-keys/queries.ts';
import { declareQueueObservation } from './observe.ts';
import type { Role, RoleContext } from './role.ts';

/** Ten megabytes over a slow line. Sockets are checked every 5 s, so that none is slow for longer than a minute. */
export const INGESTION_TIMEOUT_MS = 55_000;
/** An intake that waits longer than this for the database answers 503. */
const STATEMENT_TIMEOUT_MS = 8_000;

export interface IngestionParts {
  app: HttpApp;
  intake: Intake;
  usage: KeyUsage;
  counts: ItemCounts;
  requests: RequestCounts;
  scrubbing: ProjectScrubbing;
  quotas: Quotas;
  /** Null: this process keeps nothing on disk. */
  spool: Spool | null;
  loops: LoopDeclaration[];
}

/** Builds the ingestion API, which knows keys, claims and the queue. */
export async function buildIngestion(
  context: RoleContext,
  config: Pick<Config, 'trustProxy' | 'metricsPort' | 'spoolDirectory' | 'dataDirectory'>,
  pool: Pool,
  onAccepted: () => void,
): Promise<IngestionParts> {
  const { clock, databaseState, encryption, log, metrics, monotonicMs, processId } = context;
  const stored = createPostgresQueue({ pool, clock });
  const spooling = createSpooling(context, config);
  const awaking = notifyOnAppend(stored, onAccepted);
  const queue = spooling ? spooling.outage.observe(awaking) : awaking;
  const pace = new AnswerPace();
  const intake = new Intake(queue, metrics, {
    findRefusal: databaseState.findIntakeRefusal,
    monotonicMs,
    takeAnswers: () => pace.take(),
  });
  const events = new KeyedQueue(EVENT_QUEUE);
  metrics.measureIntakeWaiting({ forCommit: () => intake.waiting, forTurn: () => events.waiting });
  if (spooling) metrics.measureSpool(() => spooling.spool.waiting);
  const keys = new KeyLookup((hashes) => findKeyOwners(pool, hashes), metrics);
  const authentication = new KeyAuthentication(keys);
  const usage = new KeyUsage();
  const counts = new ItemCounts();
  const requests = new RequestCounts(monotonicMs);
  const scrubbing = new ProjectScrubbing(metrics);
  const scrubSettingsOf = scrubbing.settingsOf;
  const quotas = new Quotas({
    pool,
    processId,
    clock,
    monotonicMs,
    counts,
    isLost: () => spooling !== null && spooling.outage.durationMs !== null,
  });

  const app = await createHttpApp({
    service: 'ingestion',
    log,
    metrics,
    trustProxy: config.trustProxy,
    bodyLimit: EVENT_BODY_LIMIT,
    requestTimeoutMs: INGESTION_TIMEOUT_MS,
    decompressRequests: true,
    compressResponses: false,
    frontDoor: createHotRoute({
      clock,
      intake,
      events,
      authentication,
      usage,
      scrubSettingsOf,
      quotas,
      monotonicMs,
      requests,
    }),
  });
  observeRequests(app, requests);
  app.server.on('connection', () => pace.noteConnection());
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
  await registerReference(app);

  await app.register(async (instance) => {
    const scope = instance as HttpApp;
    const store = { pool, clock };
    registerIngestionRoutes(scope, {
      ...store,
      intake,
      authentication,
      usage,
      scrubSettingsOf,
      quotas,
      spooling,
      counts,
    });
    registerCheckInRoute(
      scope,
      { ...store, metrics },
      { ownerOf: keyOwnerOf, requireKey: (request) => authentication.requireValidKey(request) },
    );
  });
  registerUntakenRoutes(app);
  await app.register(async (scope) =>
    registerEnvelopeRoutes(scope as HttpApp, {
      pool,
      clock,
      intake,
      usage,
      scrubSettingsOf,
      quotas,
      counts,
      spooling,
      authentication: new KeyAuthentication(keys, true),
    }),
  );
  await app.register(async (scope) => registerCloudEventHandshake(scope as HttpApp));
  await app.register(async (scope) =>
    registerHookRoutes(scope as HttpApp, { pool, clock, intake, usage, scrubSettingsOf, encryption }),
  );
  const noteUse = (keyId: string) => usage.note(keyId, clock.now());
  await app.register(async (scope) =>
    registerPingRoutes(scope as HttpApp, { pool, clock, metrics, noteUse, scrubSettingsOf }),
  );
  const loops = spooling
    ? [
        declareSpoolLoop({
          spool: spooling.spool,
          queue: stored,
          pool,
          clock,
          log,
          counts,
          countLive: () => intake.waiting,
          onCommit: () => {
            spooling.outage.end();
            onAccepted();
          },
        }),
        declareKeyWatchLoop(spooling.outage, pool),
      ]
    : [];
  return { app, intake, usage, counts, requests, scrubbing, quotas, spool: spooling?.spool ?? null, loops };
}

export async function startIngestion(
  context: RoleContext,
  onAccepted: () => void,
): Promise<Role & { app: HttpApp }> {
  const { clock, config, log, metrics, processId, sockets } = context;
  const pool = context.createPool('tocsin-ingestion', { statementTimeoutMs: STATEMENT_TIMEOUT_MS });
  const {
    app,
    intake,
    usage,
    counts,
    requests,
    scrubbing,
    quotas,
    spool,
    loops: ofSpool,
  } = await buildIngestion(context, config, pool, onAccepted);
  // An event that comes before would be scrubbed by default alone, and not be limited.
  for (const choices of [scrubbing, quotas]) await choices.load(pool);
  const store = { pool, clock };
  const loops = [
    declareChoiceLoop([scrubbing, quotas], pool),
    declareQuotaLoop(quotas),
    declareUsageLoop(usage, pool),
    declareItemCountLoop(counts, pool),
    declareRequestLoop(requests, store),
    declareScrubbedLoop(scrubbing.values, store),
    declareLivenessLoop(store, processId, spool),
    declareQueueObservation('observing intake', pool, metrics),
    ...ofSpool,
  ].map((declaration) => new Loop({ ...declaration, log, metrics }));
  const port = await listen(app, {
    host: config.host,
    port: config.ingestPort,
    portVariable: 'INGEST_PORT',
    sockets,
  });
  const maxConnections = findMaxConnections();
  const listeners = listenersOf(app);
  if (maxConnections !== null)
    for (const listener of listeners) listener.maxConnections = Math.ceil(maxConnections / listeners.length);
  for (const loop of loops) loop.start();

  let closed: Promise<unknown> = Promise.resolve();
  return {
    name: 'ingestion',
    app,
    port,
    stopAccepting: async (idleMs) => {
      closed = closeGracefully(app, idleMs);
    },
    finishRequests: async () => void (await closed),
    drainIntake: () => intake.drain(),
    finishBatch: async () => {
      await Promise.all(loops.map((loop) => loop.stop()));
      await spool?.close();
      // The process that adopts what waits counts it.
      const report = {
        onDisk: spool?.countByProject() ?? {},
        hasSpooled: (spool?.appended ?? 0) > 0,
        isLast: true,
      };
      // None of them is lost because another one fails.
      const flushed = await Promise.allSettled([
        upsertLiveness(pool, processId, new Date(clock.now()), report),
        usage.flush(pool),
        counts.flush(pool),
        requests.flush(store),
        scrubbing.values.flush(store),
        quotas.flush(true),
      ]);
      for (const result of flushed) if (result.status === 'rejected') throw result.reason;
    },
    endPool: () => pool.end(),
  };
}

/** Calls `onAccepted` after each append, so that a worker in the same process need not wait for its next poll. */
function notifyOnAppend(queue: IntakeQueue, onAccepted: () => void): IntakeQueue {
  return {
    async append(items) {
      const results = await queue.append(items);
      onAccepted();
      return results;
    },
  };
}

/** Makes the spool of this process, with what tells when to use it; null: the process has no directory for it. */
function createSpooling(
  { clock, connection, databaseState, monotonicMs }: RoleContext,
  { spoolDirectory, dataDirectory }: Pick<Config, 'spoolDirectory' | 'dataDirectory'>,
): Spooling | null {
  const isEmbedded = !('connectionString' in connection);
  const directory = spoolDirectory ?? (isEmbedded ? join(dataDirectory, 'spool') : null);
  if (directory === null) return null;
  return {
    spool: new Spool({ directory, clock, readFreeBytes }),
    outage: new Outage({ monotonicMs, findOutage: databaseState.findOutage }),
  };
}

/** Null as long as no client uses the spool: the process is of no use without the database then. */
function findSpoolingSince(spooling: Spooling | null, clock: Clock): Date | null {
  const durationMs = spooling?.outage.durationMs ?? null;
  if (!spooling || durationMs === null || spooling.outage.listWatchedKeys().length === 0) return null;
  return new Date(clock.now() - durationMs);
}

async function readFreeBytes(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
}
