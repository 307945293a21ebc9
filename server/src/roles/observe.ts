import { findBackupAge } from '../backup/time-queries.ts';
import type { Pool, Store } from '../database/database.ts';
import { findReplication } from '../database/queries.ts';
import { listPartitionWeeks } from '../events/partition-queries.ts';
import { countWeeksAhead } from '../events/weeks.ts';
import { findOutboxLag } from '../notifications/delivery/queries.ts';
import type { LoopDeclaration } from '../platform/loop.ts';
import { countDeadLetters } from '../processing/dead-letters/queries.ts';
import { IdLowerBound } from '../queue/id-lower-bound.ts';
import { findBacklog } from '../queue/queries.ts';
import { findDetectionLag } from '../risk/live/detection-lag.ts';
import { countExcluded } from '../risk/live/exclusion-queries.ts';
import { countInbox } from '../risk/live/inbox/queries.ts';
import { countRebuilds } from '../risk/live/rebuild-queries.ts';
import { countOffloaded } from '../risk/live/state-queries.ts';
import type { Metrics } from './metrics.ts';

type Gauges = Pick<
  Metrics,
  | 'queueDepth'
  | 'queueAgeSeconds'
  | 'riskInboxDepth'
  | 'riskLagSeconds'
  | 'riskProjectsExcluded'
  | 'deadLetters'
  | 'partitionWeeksAhead'
  | 'backupAgeSeconds'
  | 'riskProjectsOffloaded'
  | 'riskRebuilds'
  | 'deliveriesPending'
  | 'deliveryAgeSeconds'
  | 'deliveriesHeld'
  | 'failingTargets'
  | 'synchronousStandbys'
>;

const INTERVAL_MS = 10_000;
const STORE_INTERVAL_MS = 60_000;

/** Observes the lag of processing, also for ingestion, so that it is known while no worker runs. */
export function declareQueueObservation(name: string, pool: Pool, metrics: Gauges): LoopDeclaration {
  const bound = new IdLowerBound();
  return observation(name, INTERVAL_MS, () => observeQueue(pool, bound, metrics));
}

/** Observes the lag of processing, detection and notifications. */
export function declareLagObservation({ pool, clock }: Store, metrics: Gauges): LoopDeclaration {
  const [queueFloor, inboxFloor] = [new IdLowerBound(), new IdLowerBound()];
  return observation('observing the queue', INTERVAL_MS, () =>
    runEach([
      () => observeQueue(pool, queueFloor, metrics),
      () => observeDetection(pool, inboxFloor, clock.now(), metrics),
      () => observeNotifications(pool, clock.now(), metrics),
      () => observeReplication(pool, metrics),
    ]),
  );
}

export function declareStoreObservation({ pool, clock }: Store, metrics: Gauges): LoopDeclaration {
  return observation('observing the store', STORE_INTERVAL_MS, () =>
    observeStore(pool, clock.now(), metrics),
  );
}

function observation(name: string, idleDelayMs: number, observe: () => Promise<void>): LoopDeclaration {
  return { name, round: async () => observe().then(() => 'idle' as const), idleDelayMs };
}

/** The lag of processing. */
export function observeQueue(
  pool: Pool,
  bound: IdLowerBound,
  { queueDepth, queueAgeSeconds }: Gauges,
): Promise<void> {
  return observe([queueDepth, queueAgeSeconds], async () => {
    const { batches, ageSeconds, oldestId } = await findBacklog(pool, bound.begin());
    bound.end(oldestId);
    queueDepth.set(batches);
    queueAgeSeconds.set(ageSeconds);
  });
}

/** The lag of detection, and the number of projects without it. */
function observeDetection(
  pool: Pool,
  bound: IdLowerBound,
  nowMs: number,
  { riskInboxDepth, riskLagSeconds, riskProjectsExcluded }: Gauges,
): Promise<void> {
  return observe([riskInboxDepth, riskLagSeconds, riskProjectsExcluded], async () => {
    const { count, oldestId } = await countInbox(pool, bound.begin());
    bound.end(oldestId);
    riskInboxDepth.set(count);
    riskLagSeconds.set((await findDetectionLag(pool)) / 1_000);
    riskProjectsExcluded.set(await countExcluded(pool, new Date(nowMs)));
  });
}

/** Observes the outbox and failing targets. */
function observeNotifications(
  pool: Pool,
  nowMs: number,
  { deliveriesPending, deliveryAgeSeconds, deliveriesHeld, failingTargets }: Gauges,
): Promise<void> {
  return observe([deliveriesPending, deliveryAgeSeconds, deliveriesHeld, failingTargets], async () => {
    const lag = await findOutboxLag(pool, new Date(nowMs));
    deliveriesPending.set(lag.pending);
    deliveryAgeSeconds.set(lag.ageSeconds);
    deliveriesHeld.set(lag.held);
    failingTargets.set(lag.failingTargets);
  });
}

function observeReplication(pool: Pool, { synchronousStandbys }: Gauges): Promise<void> {
  return observe([synchronousStandbys], async () =>
    synchronousStandbys.set((await findReplication(pool)).standbys),
  );
}

/** Metrics that change slowly. */
export function observeStore(
  pool: Pool,
  nowMs: number,
  { deadLetters, partitionWeeksAhead, backupAgeSeconds, riskProjectsOffloaded, riskRebuilds }: Gauges,
): Promise<void> {
  const gauges = [deadLetters, partitionWeeksAhead, backupAgeSeconds, riskProjectsOffloaded, riskRebuilds];
  return observe(gauges, async () => {
    riskProjectsOffloaded.set(await countOffloaded(pool));
    riskRebuilds.set(await countRebuilds(pool));
    deadLetters.set(await countDeadLetters(pool));
    partitionWeeksAhead.set(countWeeksAhead(await listPartitionWeeks(pool), nowMs));
    // Without any backup the age is infinite.
    backupAgeSeconds.set((await findBackupAge(pool)) ?? Number.POSITIVE_INFINITY);
  });
}

/**
 * Runs tasks one after the other, so that they need one connection at a time. A failing task does not prevent the others.
 * @throws the first failure, once all have run
 */
async function runEach(works: (() => Promise<void>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const work of works) await work().catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

/** A value that could not be observed is unknown: the previous one would look as if nothing had changed. */
async function observe(gauges: { set: (value: number) => void }[], work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    for (const gauge of gauges) gauge.set(Number.NaN);
    throw error;
  }
}
