import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { RequestMetrics } from './http/request-metrics.ts';

/** Everything that a process measures about itself, in the Prometheus text format at `/metrics`. */
export interface Metrics {
  registry: Registry;
  requests: RequestMetrics;
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
  clockLeaps: Counter;
  retentionHeld: Gauge;
  riskProjectsSetAside: Gauge;
  webSocketClients: Gauge;
  webSocketFrames: Counter<'event'>;
  /** Set where the log goes to a file or pipe that may refuse it, asked at each scrape. */
  countLogLinesLost: () => number;
  logLinesLost: Counter;
}

const BATCH_SIZES = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000];

export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  // Memory, CPU, open handles, and the event loop's delay (nodejs_eventloop_lag_*).
  collectDefaultMetrics({ register: registry });
  const metrics: Metrics = {
    registry,
    countIntakeWaiting: () => 0,
    requests: new RequestMetrics(),
    intakeBatchEvents: new Histogram({
      name: 'tocsin_intake_batch_events',
      help: 'Events acknowledged by one commit',
      buckets: BATCH_SIZES,
      registers,
    }),
    intakeWaiting: new Gauge({
      name: 'tocsin_intake_waiting_requests',
      help: 'Requests that wait for a commit at this moment',
      registers,
      collect() {
        this.set(metrics.countIntakeWaiting());
      },
    }),
    keyLookupBatchKeys: new Histogram({
      name: 'tocsin_key_lookup_batch_keys',
      help: 'API keys checked by one query',
      buckets: BATCH_SIZES,
      registers,
    }),
    processingBatchEvents: new Histogram({
      name: 'tocsin_processing_batch_events',
      help: 'Events taken from the queue by one statement',
      buckets: BATCH_SIZES,
      registers,
    }),
    eventsProcessed: new Counter({
      name: 'tocsin_events_processed_total',
      help: 'Events taken from the queue: stored, duplicate, dead (dead letter) or dropped (project deleted)',
      labelNames: ['result'],
      registers,
    }),
    queueDepth: new Gauge({
      name: 'tocsin_queue_batches',
      help: 'Batches accepted and not processed yet',
      registers,
    }),
    queueAgeSeconds: new Gauge({
      name: 'tocsin_queue_age_seconds',
      help: 'Age of the oldest batch in the queue',
      registers,
    }),
    logins: new Counter({
      name: 'tocsin_logins_total',
      help: 'Logins whose password was checked: succeeded or failed',
      labelNames: ['result'],
      registers,
    }),
    incidents: new Counter({
      name: 'tocsin_incidents_created_total',
      help: 'Incidents created by this process',
      labelNames: ['origin'],
      registers,
    }),
    riskInboxDepth: new Gauge({
      name: 'tocsin_risk_inbox_batches',
      help: 'Processed batches that the risk loop has not seen yet',
      registers,
    }),
    clockLeaps: new Counter({
      name: 'tocsin_clock_leaps_total',
      help: 'Times that the clock was found ahead or behind by more than can have passed',
      registers,
    }),
    retentionHeld: new Gauge({
      name: 'tocsin_retention_held',
      help: '1 while nothing is removed because the clock is not believed',
      registers,
    }),
    riskProjectsSetAside: new Gauge({
      name: 'tocsin_risk_projects_set_aside',
      help: 'Projects that are not judged for a while, because their detector failed',
      registers,
    }),
    webSocketClients: new Gauge({
      name: 'tocsin_websocket_clients',
      help: 'Open WebSocket connections',
      registers,
    }),
    webSocketFrames: new Counter({
      name: 'tocsin_websocket_frames_total',
      help: 'Frames sent to WebSocket clients',
      labelNames: ['event'],
      registers,
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
  return metrics;
}
