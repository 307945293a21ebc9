import { LATE_MS } from '@tocsin/detector';
import { CHANNELS } from '../database/channels.ts';
import type { Pool } from '../database/database.ts';
import { NotificationListener } from '../database/notifications.ts';
import { encryptAgain } from '../maintenance/encrypt-again.ts';
import { Maintenance } from '../maintenance/maintenance.ts';
import { DeliveryWorker } from '../notifications/delivery/delivery-worker.ts';
import { settleSilences } from '../notifications/silences/settle-silences.ts';
import { sealOpenSecrets } from '../notifications/targets/seal-open-secrets.ts';
import { Loop } from '../platform/loop.ts';
import { Pace } from '../processing/pace.ts';
import { createProcessor } from '../processing/processor.ts';
import { listWatchedOrganizations } from '../processing/queries.ts';
import { IdFloor } from '../queue/id-floor.ts';
import { isTakenInElsewhere } from '../queue/liveness-queries.ts';
import { RiskWatch } from '../risk/live/watch.ts';
import { reviewSchedules } from '../schedules/review-schedules.ts';
import { createNotificationParts } from './notification-parts.ts';
import { observeDetection, observeNotifications, observeQueue, observeStore, runEach } from './observe.ts';
import type { Role, RoleContext } from './role.ts';

/** How long an event waits at most that another process accepts, which cannot wake the worker. */
const PROCESSING_IDLE_MS = 100;
/** Where no other process accepts events the worker is woken by each: it looks once more in case that one failed. */
const WOKEN_IDLE_MS = 5_000;
export const RISK_PACE: RiskPace = { intervalMs: 200, updateIntervalMs: 1_000, idleMs: 1_000 };
/** Of the time, the risk loop works at most so much, so that it takes little from intake where there are many series. */
const RISK_SHARE = 1 / 15;
/** Longest time from a failed check-in to its incident. */
const SCHEDULES_IDLE_MS = 2_000;
/** The same while no project has a schedule: the longest time until a new one is noticed. */
const NO_SCHEDULES_IDLE_MS = 5_000;
/** How long an incident that is still open waits after the end of a silence. */
const SILENCES_IDLE_MS = 5_000;
/** How long events are sampled after the last viewer of an organization has left. */
const WATCHERS_INTERVAL_MS = 5_000;
/** The same without viewers. A notification announces a viewer; this covers a lost one. */
const NO_WATCHERS_INTERVAL_MS = 15_000;
/** Longest wait for events of a process that has just begun to accept them. */
const INTAKE_ELSEWHERE_INTERVAL_MS = 5_000;
const OBSERVE_INTERVAL_MS = 10_000;
const OBSERVE_STORE_INTERVAL_MS = 60_000;
const MAINTENANCE_INTERVAL_MS = 60_000;
/** Keys change at a start alone; until all processes have the new one, others go on with the former. */
const ENCRYPTING_INTERVAL_MS = 120_000;
/** The last saving of the detection's state, which shares a step of the shutdown with what precedes it. */
const LAST_SAVING_MS = 600;

/** How often the risk loop makes a round. */
export interface RiskPace {
  /** The least time from the beginning of a round that took something in to the beginning of the next. */
  intervalMs: number;
  /** The same from the end of a round that updated an incident: the bound on its updates, at most one a second. */
  updateIntervalMs: number;
  /** How long it waits after a round that found nothing, unless processing in this process wakes it. */
  idleMs: number;
}

export interface WorkerRole extends Role {
  /** Events were accepted in this process: process them now. */
  wake: () => void;
}

/** Processing, risk and maintenance: loops over the database that may run in any number of processes. */
export async function startWorker(context: RoleContext, riskPace = RISK_PACE): Promise<WorkerRole> {
  const pool = context.createPool('tocsin-worker');
  const { clock, log, metrics, processId: holderId } = context;
  const riskWatch = new RiskWatch({ pool, clock, log, metrics, holderId });
  metrics.measureRiskLeader(() => riskWatch.leads);
  metrics.measureRiskSeries(() => riskWatch.seriesInMemory);
  const loops = createLoops(context, pool, riskWatch, riskPace);
  for (const loop of Object.values(loops)) loop.start();
  const delivery = new DeliveryWorker({
    ...context,
    ...createNotificationParts(context, pool),
    pool,
    random: Math.random,
  });
  delivery.start();
  const handlers = {
    [CHANNELS.deliveries]: () => delivery.wake(),
    [CHANNELS.watchers]: () => loops.watchers.wake(),
  };
  const listener = new NotificationListener(context.connection, handlers, log);
  await listener.open();
  return {
    name: 'worker',
    port: null,
    wake: () => loops.processing.wake(),
    finishBatch: async () => {
      await listener.close();
      const { risk, ...others } = loops;
      const resigned = risk.stop().then(() => riskWatch.resign(LAST_SAVING_MS));
      await Promise.all([resigned, delivery.stop(), ...Object.values(others).map((loop) => loop.stop())]);
    },
    endPool: () => pool.end(),
  };
}

function createLoops(context: RoleContext, pool: Pool, riskWatch: RiskWatch, riskPace: RiskPace) {
  const { clock, config, databaseState, encryption, log, metrics, monotonicMs, processId } = context;
  let watchedOrganizations: string[] = [];
  let acceptsElsewhere = true;
  const processor = createProcessor({
    pool,
    log,
    metrics,
    watchedOrganizations: () => watchedOrganizations,
    lateMs: LATE_MS,
  });

  const risk = new Loop({
    name: 'risk',
    round: async () => {
      if (await riskWatch.runOnce()) return riskWatch.isBehind ? 'at once' : 'again';
      return riskWatch.hasMadeRound ? 'done' : 'idle';
    },
    // Near the end of a step, or where others store events, what is due does not wake it.
    idleDelayMs: () =>
      acceptsElsewhere || !riskWatch.isFarFromStepEnd ? riskPace.idleMs : 2 * riskPace.idleMs,
    minIntervalMs: (tookMs) => restAfter(tookMs, riskWatch.hasUpdated, riskPace),
    log,
    metrics,
  });
  const pace = new Pace();
  const processing = new Loop({
    name: 'processing',
    round: async () => {
      const beganAtMs = monotonicMs();
      const processed = databaseState.hasRoomToStore() ? await processor.processNext() : null;
      if (!processed) return 'idle';
      pace.record(processed, beganAtMs);
      risk.wake();
      return 'again';
    },
    idleDelayMs: () => (acceptsElsewhere ? PROCESSING_IDLE_MS : WOKEN_IDLE_MS),
    // The first event after a pause is processed at once.
    minIntervalMs: () => pace.intervalMs,
    log,
    metrics,
  });
  let schedulesIdleMs = SCHEDULES_IDLE_MS;
  const schedules = new Loop({
    name: 'schedules',
    round: async () => {
      const reviewed = await reviewSchedules({ pool, clock }, metrics);
      schedulesIdleMs = reviewed === 'none' ? NO_SCHEDULES_IDLE_MS : SCHEDULES_IDLE_MS;
      return reviewed === 'more' ? 'again' : 'idle';
    },
    idleDelayMs: () => schedulesIdleMs,
    log,
    metrics,
  });
  const silences = new Loop({
    name: 'silences',
    round: async () => ((await settleSilences({ pool, clock })) ? 'again' : 'idle'),
    idleDelayMs: SILENCES_IDLE_MS,
    log,
    metrics,
  });
  const [queueFloor, inboxFloor] = [new IdFloor(), new IdFloor()];
  const watchers = new Loop({
    name: 'watchers',
    round: async () => {
      watchedOrganizations = await listWatchedOrganizations(pool, new Date(clock.now()));
      return 'idle';
    },
    idleDelayMs: () => (watchedOrganizations.length > 0 ? WATCHERS_INTERVAL_MS : NO_WATCHERS_INTERVAL_MS),
    log,
    metrics,
  });
  const intakeElsewhere = new Loop({
    name: 'intake elsewhere',
    round: async () => {
      const accepted = acceptsElsewhere;
      acceptsElsewhere = await isTakenInElsewhere(pool, processId);
      if (acceptsElsewhere && !accepted) processing.wake();
      return 'idle';
    },
    idleDelayMs: INTAKE_ELSEWHERE_INTERVAL_MS,
    log,
    metrics,
  });
  const observing = new Loop({
    name: 'observing the queue',
    round: async () => {
      await runEach([
        () => observeQueue(pool, queueFloor, metrics),
        () => observeDetection(pool, inboxFloor, clock.now(), metrics),
        () => observeNotifications(pool, clock.now(), metrics),
      ]);
      return 'idle';
    },
    idleDelayMs: OBSERVE_INTERVAL_MS,
    log,
    metrics,
  });
  const observingStore = new Loop({
    name: 'observing the store',
    round: async () => {
      await observeStore(pool, clock.now(), metrics);
      return 'idle';
    },
    idleDelayMs: OBSERVE_STORE_INTERVAL_MS,
    log,
    metrics,
  });
  const maintaining = new Maintenance({ ...context, pool, retentionDays: config.retentionDays });
  const maintenance = new Loop({
    name: 'maintenance',
    round: async (stopping) => ((await maintaining.run(stopping)) ? 'again' : 'idle'),
    idleDelayMs: MAINTENANCE_INTERVAL_MS,
    log,
    metrics,
  });
  const encrypting = new Loop({
    name: 'encrypting again',
    round: async () => {
      const sealed = await sealOpenSecrets(pool, encryption);
      if (sealed > 0) log.info({ sealed }, 'fields of targets that became secret were encrypted');
      if (!encryption.hasFormerKeys) return 'idle';
      const { renewed, unreadable } = await encryptAgain(pool, encryption);
      if (renewed > 0) log.info({ renewed }, 'stored secrets were encrypted with the first key');
      if (unreadable > 0) log.warn({ unreadable }, 'stored secrets cannot be read with any key');
      return 'idle';
    },
    idleDelayMs: ENCRYPTING_INTERVAL_MS,
    log,
    metrics,
  });
  return {
    processing,
    risk,
    schedules,
    silences,
    watchers,
    intakeElsewhere,
    observing,
    observingStore,
    maintenance,
    encrypting,
  };
}

/** How long the risk loop rests, from the beginning of a round. */
function restAfter(tookMs: number, hasUpdated: boolean, { intervalMs, updateIntervalMs }: RiskPace): number {
  // From its end, so that two updates are never closer.
  if (hasUpdated) return tookMs + updateIntervalMs;
  return Math.max(intervalMs, Math.min(updateIntervalMs, tookMs / RISK_SHARE));
}
