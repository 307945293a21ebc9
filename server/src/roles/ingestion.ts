import type { Config } from '../config.ts';
import type { Pool, Store } from '../database/database.ts';
import { closeGracefully } from '../http/close-gracefully.ts';
import type { HttpApp } from '../http/http-app.ts';
import { listen, listenersOf } from '../http/listen.ts';
import { declareUsageLoop } from '../ingestion/authentication/key-usage.ts';
import { declareChoiceLoop } from '../ingestion/event/choice-loop.ts';
import { declareScrubbedLoop } from '../ingestion/event/scrubbed-values.ts';
import { declareItemCountLoop } from '../ingestion/intake/item-counts.ts';
import { declareQuotaLoop } from '../ingestion/quotas/quotas.ts';
import { declareRequestLoop } from '../ingestion/requests/request-counts.ts';
import { declareSpoolLoop } from '../ingestion/spool/spool-loop.ts';
import { declareKeyWatchLoop } from '../ingestion/spool/watch-keys.ts';
import { findMaxConnections } from '../platform/file-descriptors.ts';
import type { LoopDeclaration } from '../platform/loop.ts';
import { declareLivenessLoop } from '../queue/liveness-loop.ts';
import { upsertLiveness } from '../queue/liveness-queries.ts';
import { createIngestionApp } from './ingestion-app.ts';
import { createIngestionParts, type IngestionParts } from './ingestion-parts.ts';
import { declareQueueObservation } from './observe.ts';
import type { Role, RoleContext } from './role.ts';

/** An intake that waits longer than this for the database answers 503. */
const STATEMENT_TIMEOUT_MS = 8_000;

/** Builds the ingestion API, which knows keys, claims and the queue. */
export async function buildIngestion(
  context: RoleContext,
  config: Pick<Config, 'trustProxy' | 'metricsPort' | 'spoolDirectory' | 'dataDirectory'>,
  pool: Pool,
  onAccepted: () => void,
): Promise<{ app: HttpApp; parts: IngestionParts }> {
  const parts = createIngestionParts(context, config, pool, onAccepted);
  return { app: await createIngestionApp(context, config, pool, parts), parts };
}

export async function startIngestion(
  context: RoleContext,
  onAccepted: () => void,
): Promise<Role & { app: HttpApp }> {
  const { clock, config, processId, sockets } = context;
  const pool = context.createPool('tocsin-ingestion', { statementTimeoutMs: STATEMENT_TIMEOUT_MS });
  const { app, parts } = await buildIngestion(context, config, pool, onAccepted);
  // An event that comes before would be scrubbed by default alone, and not be limited.
  for (const choices of [parts.scrubbing, parts.quotas]) await choices.load(pool);
  const store = { pool, clock };
  const loops = [
    ...declareLoops(context, store, parts),
    ...declareSpoolLoops(context, store, parts, onAccepted),
  ].map(context.createLoop);
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
    drainIntake: () => parts.intake.drain(),
    finishBatch: async () => {
      await Promise.all(loops.map((loop) => loop.stop()));
      await parts.spooling?.spool.close();
      await writeLast(processId, store, parts);
    },
    endPool: () => pool.end(),
  };
}

function declareLoops(
  { metrics, processId }: RoleContext,
  store: Store,
  { counts, quotas, requests, scrubbing, spooling, usage }: IngestionParts,
): LoopDeclaration[] {
  const { pool } = store;
  return [
    declareChoiceLoop([scrubbing, quotas], pool),
    declareQuotaLoop(quotas),
    declareUsageLoop(usage, pool),
    declareItemCountLoop(counts, pool),
    declareRequestLoop(requests, store),
    declareScrubbedLoop(scrubbing.values, store),
    declareLivenessLoop(store, processId, spooling?.spool ?? null),
    declareQueueObservation('observing intake', pool, metrics),
  ];
}

function declareSpoolLoops(
  { log }: RoleContext,
  store: Store,
  { counts, intake, spooling, stored }: IngestionParts,
  onAccepted: () => void,
): LoopDeclaration[] {
  if (!spooling) return [];
  const { spool, outage } = spooling;
  const onCommit = () => {
    outage.end();
    onAccepted();
  };
  const countLive = () => intake.waiting;
  return [
    declareSpoolLoop({ ...store, spool, queue: stored, log, counts, countLive, onCommit }),
    declareKeyWatchLoop(outage, store.pool),
  ];
}

/** Writes what was counted since the last round of each loop, and that this process has ended. */
async function writeLast(
  processId: string,
  { pool, clock }: Store,
  { counts, quotas, requests, scrubbing, spooling, usage }: IngestionParts,
): Promise<void> {
  // The process that adopts what waits counts it.
  const report = {
    onDisk: spooling?.spool.countByProject() ?? {},
    hasSpooled: (spooling?.spool.appended ?? 0) > 0,
    isLast: true,
  };
  // None of them is lost because another one fails.
  const written = await Promise.allSettled([
    upsertLiveness(pool, processId, new Date(clock.now()), report),
    usage.flush(pool),
    counts.flush(pool),
    requests.flush({ pool, clock }),
    scrubbing.values.flush({ pool, clock }),
    quotas.flush(true),
  ]);
  for (const result of written) if (result.status === 'rejected') throw result.reason;
}
