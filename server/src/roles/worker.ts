import { LATE_MS } from '@tocsin/detector';
import { declareAlertsLoop } from '../alerts/review-alerts.ts';
import { CHANNELS } from '../database/channels.ts';
import type { Pool } from '../database/database.ts';
import { NotificationListener } from '../database/notifications.ts';
import { declareUnwatchedLoop } from '../environments/unwatched-loop.ts';
import { declareErasuresLoop } from '../erasures/erasures-loop.ts';
import { declareMutesLoop } from '../groups/mutes-loop.ts';
import { declareEncryptionLoop } from '../maintenance/encryption-loop.ts';
import { declareMaintenanceLoop } from '../maintenance/maintenance-loop.ts';
import { DeliveryWorker } from '../notifications/delivery/delivery-worker.ts';
import { declareSilencesLoop } from '../notifications/silences/silences-loop.ts';
import { declareProcessingLoop } from '../processing/processing-loop.ts';
import { createProcessor } from '../processing/processor.ts';
import { WatchedOrganizations } from '../processing/watched-organizations.ts';
import { IntakeElsewhere } from '../queue/intake-elsewhere.ts';
import { RiskWatch } from '../risk/live/watch.ts';
import { Rebuilder } from '../risk/rebuild/rebuilder.ts';
import { declareRiskLoop, RISK_PACE, type RiskPace } from '../risk/risk-loop.ts';
import { declareSchedulesLoop } from '../schedules/schedules-loop.ts';
import { FrameMapper } from '../source-maps/frames/frame-mapper.ts';
import { declareQuotaNoticeLoop } from '../tenancy/quotas/announce-loop.ts';
import { openArchivePart } from './archive-part.ts';
import { createNotificationParts } from './notification-parts.ts';
import { declareLagObservation, declareStoreObservation } from './observe.ts';
import type { Role, RoleContext } from './role.ts';

/**
 * Time limit of the last saving of the detection's state, which shares a step of the shutdown with what precedes it.
 */
const LAST_SAVING_MS = 600;

export interface WorkerRole extends Role {
  /** Processes events that were accepted in this process now. */
  wake: () => void;
}

/** Starts processing, risk and maintenance: loops over the database that may run in any number of processes. */
export async function startWorker(context: RoleContext, riskPace = RISK_PACE): Promise<WorkerRole> {
  const pool = context.createPool('tocsin-worker');
  const { clock, log, metrics, processId: holderId } = context;
  const rebuilds = new Rebuilder({ pool, log });
  const riskWatch = new RiskWatch({ pool, clock, log, metrics, holderId, rebuilds });
  metrics.measureRiskLeader(() => riskWatch.leads);
  metrics.measureRiskSeries(() => riskWatch.seriesInMemory);
  const loops = createLoops(context, pool, riskWatch, riskPace);
  for (const loop of Object.values(loops)) loop.start();
  const archive = await openArchivePart(context, pool);
  archive?.loop.start();
  const frameMapper = new FrameMapper({ ...context, pool });
  const delivery = new DeliveryWorker({
    ...context,
    ...createNotificationParts(context, pool),
    pool,
    frameMapper,
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
      const parts = [delivery, frameMapper, ...Object.values(others), ...(archive ? [archive.loop] : [])];
      const stopped = parts.map((part) => part.stop());
      await Promise.all([resigned, ...stopped]);
    },
    endPool: async () => {
      await Promise.all([pool.end(), archive?.end()]);
    },
  };
}

function createLoops(context: RoleContext, pool: Pool, riskWatch: RiskWatch, riskPace: RiskPace) {
  const { clock, createLoop: create, databaseTime, config, encryption, log, metrics, processId } = context;
  const store = { pool, clock };
  const watched = new WatchedOrganizations(store);
  const elsewhere = new IntakeElsewhere(pool, processId, () => processing.wake());
  const isWoken = () => !elsewhere.isFound;
  const watchedOrganizations = () => watched.ids;
  const processor = createProcessor({
    pool,
    clock,
    databaseTime,
    log,
    metrics,
    watchedOrganizations,
    lateMs: LATE_MS,
  });
  const risk = create(declareRiskLoop(riskWatch, riskPace, isWoken));
  const onStored = () => risk.wake();
  const processing = create(declareProcessingLoop({ ...context, processor, isWoken, onStored }));
  return {
    processing,
    risk,
    schedules: create(declareSchedulesLoop(store, metrics)),
    alerts: create(declareAlertsLoop(store)),
    silences: create(declareSilencesLoop(store)),
    mutes: create(declareMutesLoop(store)),
    unwatched: create(declareUnwatchedLoop(store)),
    quotaNotices: create(declareQuotaNoticeLoop(store)),
    watchers: create(watched.loop),
    intakeElsewhere: create(elsewhere.loop),
    observing: create(declareLagObservation(store, metrics)),
    observingStore: create(declareStoreObservation(store, metrics)),
    maintenance: create(declareMaintenanceLoop({ ...context, pool, retentionDays: config.retentionDays })),
    erasures: create(
      declareErasuresLoop({
        ...context,
        pool,
        retentionDays: config.retentionDays,
        hasArchive: config.archive !== null,
      }),
    ),
    encrypting: create(declareEncryptionLoop(pool, encryption, log)),
  };
}
