import { collectDefaultMetrics, Registry } from 'prom-client';
import { type BackupMetrics, createBackupMetrics } from '../backup/metrics.ts';
import { createDatabaseMetrics, type DatabaseMetrics } from '../database/metrics.ts';
import { createPoolMetrics, type PoolMetrics } from '../database/pool-metrics.ts';
import { createEventStoreMetrics, type EventStoreMetrics } from '../events/metrics.ts';
import { RequestMetrics } from '../http/request-metrics.ts';
import { createIncidentMetrics, type IncidentMetrics } from '../incidents/metrics.ts';
import { createKeyLookupMetrics, type KeyLookupMetrics } from '../ingestion/authentication/metrics.ts';
import { createEventMetrics, type EventMetrics } from '../ingestion/event/metrics.ts';
import { createIntakeMetrics, type IntakeMetrics } from '../ingestion/intake/metrics.ts';
import { createSpoolMetrics, type SpoolMetrics } from '../ingestion/spool/metrics.ts';
import { createMaintenanceMetrics, type MaintenanceMetrics } from '../maintenance/metrics.ts';
import { createDeliveryMetrics, type DeliveryMetrics } from '../notifications/delivery/metrics.ts';
import { type BuildMetrics, createBuildMetrics } from '../platform/build-metrics.ts';
import { cacheFor } from '../platform/cached.ts';
import { createLogMetrics, type LogMetrics } from '../platform/log-metrics.ts';
import { createLoopMetrics, type LoopMetrics } from '../platform/loop-metrics.ts';
import { createProcessingMetrics, type ProcessingMetrics } from '../processing/metrics.ts';
import { createQueueMetrics, type QueueMetrics } from '../queue/metrics.ts';
import { createRealtimeMetrics, type RealtimeMetrics } from '../realtime/metrics.ts';
import { createRiskMetrics, type RiskMetrics } from '../risk/live/metrics.ts';
import { type CheckInMetrics, createCheckInMetrics } from '../schedules/metrics.ts';
import { type AccountMetrics, createAccountMetrics } from '../tenancy/accounts/metrics.ts';
import { ROLE_NAMES, type RoleName } from './role-names.ts';

/** All metrics of a process, each part declared by its owner. */
export interface Metrics
  extends AccountMetrics,
    BackupMetrics,
    BuildMetrics,
    CheckInMetrics,
    DatabaseMetrics,
    DeliveryMetrics,
    EventMetrics,
    EventStoreMetrics,
    IncidentMetrics,
    IntakeMetrics,
    KeyLookupMetrics,
    LogMetrics,
    MaintenanceMetrics,
    ProcessingMetrics,
    QueueMetrics,
    RealtimeMetrics,
    RiskMetrics,
    SpoolMetrics {
  registry: Registry;
  /** Formats them in the Prometheus text format, at most once a second. */
  toText: () => Promise<string>;
  contentType: string;
  requests: RequestMetrics;
  loops: LoopMetrics;
  pools: PoolMetrics;
}

const MAX_TEXT_AGE_MS = 1_000;

/**
 * Sampling interval of a timer that never rests: the library's default, a tenth of this, would wake an idle service
 * more than all else.
 */
const EVENT_LOOP_SAMPLING_MS = 100;

/** @param parts roles of the process: a metric of any other is absent, rather than 0 */
export function createMetrics(parts: readonly RoleName[] = ROLE_NAMES): Metrics {
  const registry = new Registry();
  const only = (...of: RoleName[]) => (of.some((part) => parts.includes(part)) ? [registry] : []);
  // Memory, CPU, open handles, and the event loop's delay (nodejs_eventloop_lag_*).
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: EVENT_LOOP_SAMPLING_MS });
  const requests = new RequestMetrics();
  return {
    registry,
    toText: cacheFor(MAX_TEXT_AGE_MS, async () => `${await registry.metrics()}${requests.toText()}`),
    contentType: registry.contentType,
    requests,
    loops: createLoopMetrics(registry),
    pools: createPoolMetrics(registry),
    ...createBuildMetrics([registry]),
    ...createLogMetrics([registry]),
    ...createDatabaseMetrics([registry], only('worker')),
    ...createAccountMetrics(only('management')),
    ...createRealtimeMetrics(only('management')),
    ...createEventMetrics(only('ingestion')),
    ...createIntakeMetrics(only('ingestion')),
    ...createKeyLookupMetrics(only('ingestion')),
    ...createSpoolMetrics(only('ingestion')),
    ...createQueueMetrics(only('ingestion', 'worker')),
    ...createProcessingMetrics(only('worker')),
    ...createEventStoreMetrics(only('worker')),
    ...createRiskMetrics(only('worker')),
    ...createBackupMetrics(only('worker')),
    ...createDeliveryMetrics(only('worker')),
    ...createMaintenanceMetrics(only('worker')),
    ...createCheckInMetrics(only('ingestion', 'worker'), [
      ...(parts.includes('ingestion') ? (['in_progress', 'ok', 'error', 'log'] as const) : []),
      ...(parts.includes('worker') ? (['missed', 'timed_out', 'unknown'] as const) : []),
    ]),
    ...createIncidentMetrics(only('management', 'worker'), [
      ...(parts.includes('management') ? (['manual'] as const) : []),
      ...(parts.includes('worker') ? (['risk', 'schedule', 'alertmanager', 'grafana'] as const) : []),
    ]),
  };
}
