import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { createPoolMetrics, type PoolMetrics } from '../database/pool-metrics.ts';
import { RequestMetrics } from '../http/request-metrics.ts';
import { cacheFor } from './cached.ts';
import { createLoopMetrics, type LoopMetrics } from './loop-metrics.ts';

/** What a process runs, and so has something to measure about: a metric of anything else is absent, rather than 0. */
export type MeasuredPart = 'management' | 'ingestion' | 'worker';
const ALL: readonly MeasuredPart[] = ['management', 'ingestion', 'worker'];

/** Everything that a process measures about itself. */
export interface Metrics {
  registry: Registry;
  /** In the Prometheus text format, made at most once a second. */
  toText: () => Promise<string>;
  contentType: string;
  requests: RequestMetrics;
  buildInfo: Gauge<'version' | 'schema'>;
  loops: LoopMetrics;
  pools: PoolMetrics;
  intakeBatchEvents: Histogram;
  /** Set by the ingestion role: how many requests wait for a commit, asked at each scrape. */
  countIntakeWaiting: () => number;
  intakeWaiting: Gauge;
  keyLookupBatchKeys: Histogram;
  processingBatchEvents: Histogram;
  eventsProcessed: Counter<'result'>;
  queueDepth: Gauge;
  queueAgeSeconds: Gauge;
  logins: Counter<'result'>;
  incidents: Counter<'origin'>;
  riskInboxDepth: Gauge;
  riskLagSeconds: Gauge;
  /** Set by the worker: whether it leads the detection. */
  leadsRisk: () => boolean;
  /** Set by the worker: what the detectors in its memory take, in series. */
  countRiskSeries: () => number;
  riskLeader: Gauge;
  deadLetters: Gauge;
  partitionWeeksAhead: Gauge;
  backupAgeSeconds: Gauge;
  clockLeaps: Counter;
  retentionHeld: Gauge;
  riskSeriesInMemory: Gauge;
  riskProjectsPutAway: Gauge;
  riskProjectsSetAside: Gauge;
  webSocketClients: Gauge;
  webSocketFrames: Counter<'event'>;
  /** Set where the log goes to a file or pipe that may refuse it, asked at each scrape. */
  countLogLinesLost: () => number;
  logLinesLost: Counter;
}

const BATCH_SIZES = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000];
const MAX_TEXT_AGE_MS = 1_000;

export function createMetrics(parts: readonly MeasuredPart[] = ALL): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const only = (...of: MeasuredPart[]) => (of.some((part) => parts.includes(part)) ? [registry] : []);
  // Memory, CPU, open handles, and the event loop's delay (nodejs_eventloop_lag_*).
  collectDefaultMetrics({ register: registry });
  const requests = new RequestMetrics();
  const metrics: Metrics = {
    toText: cacheFor(MAX_TEXT_AGE_MS, async () => `${await registry.metrics()}${requests.toText()}`),
    registry,
    contentType: registry.contentType,
    countIntakeWaiting: () => 0,
    leadsRisk: () => false,
    countRiskSeries: () => 0,
    requests,
    buildInfo: new Gauge({
      name: 'tocsin_build_info',
      help: 'Always 1: the version of the program, and the newest schema that it knows',
      labelNames: ['version', 'schema'],
      registers,
    }),
    loops: createLoopMetrics(registry),
    pools: createPoolMetrics(registry),
    intakeBatchEvents: new Histogram({
      name: 'tocsin_intake_batch_events',
      help: 'Events acknowledged by one commit',
      buckets: BATCH_SIZES,
      registers: only('ingestion'),
    }),
    intakeWaiting: new Gauge({
      name: 'tocsin_intake_waiting_requests',
      help: 'Requests that wait for a commit at this moment',
      registers: only('ingestion'),
      collect() {
        this.set(metrics.countIntakeWaiting());
      },
    }),
    keyLookupBatchKeys: new Histogram({
      name: 'tocsin_key_lookup_batch_keys',
      help: 'API keys checked by one query',
      buckets: BATCH_SIZES,
      registers: only('ingestion'),
    }),
    processingBatchEvents: new Histogram({
      name: 'tocsin_processing_batch_events',
      help: 'Events taken from the queue by one statement',
      buckets: BATCH_SIZES,
      registers: only('worker'),
    }),
    eventsProcessed: new Counter({
      name: 'tocsin_events_processed_total',
      help: 'Events taken from the queue: stored, duplicate, dead (dead letter) or dropped (project deleted)',
      labelNames: ['result'],
      registers: only('worker'),
    }),
    queueDepth: new Gauge({
      name: 'tocsin_queue_batches',
      help: 'Batches accepted and not processed yet',
      registers: only('ingestion', 'worker'),
    }),
    queueAgeSeconds: new Gauge({
      name: 'tocsin_queue_age_seconds',
      help: 'Age of the oldest batch in the queue',
      registers: only('ingestion', 'worker'),
    }),
    logins: new Counter({
      name: 'tocsin_logins_total',
      help: 'Logins whose password was checked: succeeded or failed',
      labelNames: ['result'],
      registers: only('management'),
    }),
    incidents: new Counter({
      name: 'tocsin_incidents_created_total',
      help: 'Incidents created by this process',
      labelNames: ['origin'],
      registers: only('management', 'worker'),
    }),
    riskInboxDepth: new Gauge({
      name: 'tocsin_risk_inbox_batches',
      help: 'Processed batches that the risk loop has not seen yet',
      registers: only('worker'),
    }),
    riskLagSeconds: new Gauge({
      name: 'tocsin_risk_lag_seconds',
      help: 'How far detection is behind ingestion',
      registers: only('worker'),
    }),
    riskLeader: new Gauge({
      name: 'tocsin_risk_leader',
      help: '1 in the process that leads the detection',
      registers: only('worker'),
      collect() {
        this.set(metrics.leadsRisk() ? 1 : 0);
      },
    }),
    deadLetters: new Gauge({
      name: 'tocsin_dead_letters',
      help: 'Dead letters that are kept',
      registers: only('worker'),
    }),
    partitionWeeksAhead: new Gauge({
      name: 'tocsin_partition_weeks_ahead',
      help: 'Weeks after the present one that events can be stored in',
      registers: only('worker'),
    }),
    backupAgeSeconds: new Gauge({
      name: 'tocsin_backup_age_seconds',
      help: 'Time since the last backup by `tocsin backup`; +Inf: there was none',
      registers: only('worker'),
    }),
    clockLeaps: new Counter({
      name: 'tocsin_clock_leaps_total',
      help: 'Times that the clock was found ahead or behind by more than can have passed',
      registers: only('worker'),
    }),
    retentionHeld: new Gauge({
      name: 'tocsin_retention_held',
      help: '1 while nothing is removed because the clock is not believed',
      registers: only('worker'),
    }),
    riskSeriesInMemory: new Gauge({
      name: 'tocsin_risk_series_in_memory',
      help: 'Series that detection holds in memory; what else it holds there counts as series',
      registers: only('worker'),
      collect() {
        this.set(metrics.countRiskSeries());
      },
    }),
    riskProjectsPutAway: new Gauge({
      name: 'tocsin_risk_projects_put_away',
      help: 'Projects whose detector is saved and not in memory until events come or it is looked at',
      registers: only('worker'),
    }),
    riskProjectsSetAside: new Gauge({
      name: 'tocsin_risk_projects_set_aside',
      help: 'Projects that are not judged for a while, because their detector failed',
      registers: only('worker'),
    }),
    webSocketClients: new Gauge({
      name: 'tocsin_websocket_clients',
      help: 'Open WebSocket connections',
      registers: only('management'),
    }),
    webSocketFrames: new Counter({
      name: 'tocsin_websocket_frames_total',
      help: 'Frames sent to WebSocket clients',
      labelNames: ['event'],
      registers: only('management'),
    }),
    countLogLinesLost: () => 0,
    logLinesLost: new Counter({
      name: 'tocsin_log_lines_lost_total',
      help: 'Log lines dropped because standard output took no more',
      registers,
      collect() {
        this.reset();
        this.inc(metrics.countLogLinesLost());
      },
    }),
  };
  beginWithZeros(metrics, parts);
  return metrics;
}

/** A series that begins with its first event has no increase: so each begins with 0. */
function beginWithZeros(
  { eventsProcessed, incidents, logins }: Metrics,
  parts: readonly MeasuredPart[],
): void {
  for (const result of ['stored', 'duplicate', 'dead', 'dropped']) eventsProcessed.inc({ result }, 0);
  for (const result of ['succeeded', 'failed']) logins.inc({ result }, 0);
  if (parts.includes('management')) incidents.inc({ origin: 'manual' }, 0);
  if (parts.includes('worker')) incidents.inc({ origin: 'risk' }, 0);
}
