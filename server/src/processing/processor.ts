import { applyAlerts } from '../alerts/apply-alerts.ts';
import { inPlainTransaction, inTransaction, type Pool, type Queryable } from '../database/database.ts';
import { isCanceled, isDataError, isLocked, isMissingPartition } from '../database/sql-state.ts';
import { insertEnvironments, type NamedEnvironment } from '../environments/queries.ts';
import { upsertStaleHours } from '../events/counts/roll-queries.ts';
import { ensurePartitions } from '../events/partitions.ts';
import { finishGroups } from '../groups/keep/finish-groups.ts';
import type { IncidentMetrics } from '../incidents/metrics.ts';
import type { Clock } from '../platform/clock.ts';
import { uuidTime } from '../platform/ids.ts';
import type { Log } from '../platform/log.ts';
import { hourOf } from '../platform/time.ts';
import { IdLowerBound } from '../queue/id-lower-bound.ts';
import { BatchLimits } from './batch-limits.ts';
import { GROUP_RESULTS, type ProcessingMetrics } from './metrics.ts';
import {
  type BatchOutcome,
  type BatchRange,
  findBatch,
  listOldestBatchIds,
  storeBatches,
} from './queries.ts';
import { readEvents } from './read-events.ts';
import { splitBatch } from './split-batch.ts';

/** Takes accepted events and stores each exactly once: the interface for another queue and event store. */
export interface Processor {
  /** Processes the next batches. @returns null: there was nothing to do */
  processNext(): Promise<ProcessingResult | null>;
}

export interface ProcessingResult {
  events: number;
  /** True for as many batches as one statement takes: more may wait. */
  isFull: boolean;
}

/** Events are captured 7 days before to 5 minutes after their receipt. */
const MAX_DISTANCE_MS = 8 * 24 * 60 * 60_000;

/** Shared by the statements of a process: without projects that ask for them, samples and fields cost nothing. */
interface Demands {
  /** True once a project with samples was met. */
  keepsSamples: boolean;
  /** True once a project with rules about fields of the payload was met. */
  countsFields: boolean;
}

/** The second try knows the groups that the first one met locked; others may have begun since. */
const MAX_TRIES = 5;

export interface ProcessorDependencies {
  pool: Pool;
  clock: Clock;
  /** The clock of the database, in milliseconds. */
  databaseTime: (database: Queryable) => Promise<number>;
  log: Log;
  metrics: ProcessingMetrics & IncidentMetrics;
  /** Returns the organizations with live viewers. */
  watchedOrganizations: () => string[];
  /** Maximum time between an event's capture and its receipt until the risk loop counts it as late. */
  lateMs: number;
}

/**
 * Processing in PostgreSQL. The queue's rows leave in the statement that stores their events, so a crash at any
 * moment leaves a batch either waiting or stored. A batch that PostgreSQL refuses is split, round by round, until the
 * bad event stands alone and becomes a dead letter; the others are stored.
 */
export function createProcessor(dependencies: ProcessorDependencies): Processor {
  const limits = new BatchLimits();
  const demands: Demands = { keepsSamples: false, countsFields: false };
  const bound = new IdLowerBound();
  return {
    async processNext() {
      const { maxBatches, maxBytes } = limits.current;
      try {
        const fromId = bound.begin();
        const outcome = await store(dependencies, demands, { fromId, maxBatches, maxBytes });
        bound.end(outcome.oldestId);
        limits.grow();
        report(dependencies, outcome);
        const { batches, events } = outcome;
        return batches > 0 ? { events, isFull: batches === maxBatches } : null;
      } catch (error) {
        bound.reset();
        if (isCanceled(error)) limits.shrink();
        if (!isDataError(error)) throw error;
        return processOneByOne(dependencies, demands, maxBatches);
      }
    },
  };
}

/** Rolls a transaction back that met a project with samples, or with rules about fields, and heeded neither. */
class NewDemand extends Error {}

/** Rolls a transaction back that met names of environments without a number. */
class UnknownEnvironments extends Error {
  readonly environments: NamedEnvironment[];

  constructor(environments: NamedEnvironment[]) {
    super('Environments of events have no number yet.');
    this.environments = environments;
  }
}

/**
 * Stores events, their groups, marks of late hours and the incidents of alerts in one transaction, which is repeated if
 * another one has locked a group that has just begun, once environments that events name for the first time have their
 * numbers, or if a project is the first one that keeps samples or has rules about fields.
 */
async function store(
  { pool, clock, databaseTime, metrics, watchedOrganizations, lateMs }: ProcessorDependencies,
  demands: Demands,
  range: BatchRange,
): Promise<BatchOutcome> {
  for (let tries = 1; ; tries++) {
    try {
      const { outcome, changes, opened } = await inTransaction({ pool, clock }, async (transaction) => {
        // Workers whose clocks are hours apart would begin each other's hour again and again, and keep everything.
        const sampledHour = demands.keepsSamples ? new Date(hourOf(await databaseTime(transaction))) : null;
        const { countsFields } = demands;
        const options = { watchedOrganizations: watchedOrganizations(), lateMs, sampledHour, countsFields };
        const stored = await storeBatches(transaction, options, range);
        const { keepsSamples } = stored;
        if ((keepsSamples && sampledHour === null) || (stored.countsFields && !countsFields)) {
          demands.keepsSamples ||= keepsSamples;
          demands.countsFields ||= stored.countsFields;
          throw new NewDemand();
        }
        if (stored.unknownEnvironments.length > 0) throw new UnknownEnvironments(stored.unknownEnvironments);
        const finished = await finishGroups(transaction, stored, sampledHour);
        await upsertStaleHours(transaction, stored.lateHours);
        return { outcome: stored, changes: finished, opened: await applyAlerts(transaction, stored.notices) };
      });
      for (const result of GROUP_RESULTS)
        if (changes[result] > 0) metrics.groups.inc({ result }, changes[result]);
      for (const origin of opened) metrics.incidents.inc({ origin });
      return outcome;
    } catch (error) {
      if (tries === MAX_TRIES) throw error;
      if (error instanceof UnknownEnvironments)
        await inPlainTransaction(pool, (transaction) => insertEnvironments(transaction, error.environments));
      else if (!(error instanceof NewDemand || isLocked(error))) throw error;
    }
  }
}

/** After a refusal: stores the oldest batches one by one, and splits those that are refused. */
async function processOneByOne(
  dependencies: ProcessorDependencies,
  demands: Demands,
  maxBatches: number,
): Promise<ProcessingResult | null> {
  const batchIds = await listOldestBatchIds(dependencies.pool, maxBatches);
  const failures: unknown[] = [];
  let events = 0;
  for (const batchId of batchIds) {
    try {
      events += await processOne(dependencies, demands, batchId);
    } catch (error) {
      if (!isDataError(error)) throw error;
      // The batches behind a failing one do not wait for it.
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return batchIds.length > 0 ? { events, isFull: batchIds.length === maxBatches } : null;
}

/** @returns the number of events in it; 0 if none was stored, or it was split */
async function processOne(
  dependencies: ProcessorDependencies,
  demands: Demands,
  batchId: number,
): Promise<number> {
  const { pool, log } = dependencies;
  try {
    const outcome = await store(dependencies, demands, {
      fromId: batchId,
      toId: batchId,
      maxBatches: 1,
      maxBytes: 1,
    });
    report(dependencies, outcome);
    return outcome.events;
  } catch (error) {
    if (!isDataError(error)) throw error;
    if (isMissingPartition(error) && (await makePartitions(pool, batchId))) return 0;
    log.warn({ batchId, err: error }, 'a batch was refused: it is split to find the bad event');
    await splitBatch(dependencies, batchId, error);
    return 0;
  }
}

/**
 * Creates the partitions for a batch outside of the range that maintenance prepares (the worker was down for weeks,
 * the clock jumped), unless another worker has created them meanwhile.
 * @returns true if each of its events has a partition now
 */
async function makePartitions(pool: Pool, batchId: number): Promise<boolean> {
  const batch = await findBatch(pool, batchId);
  const events = (batch && readEvents(batch.events)) ?? [];
  const times = events.flatMap(plausibleTime);
  if (times.length === 0) return false;
  const first = times.reduce((least, time) => Math.min(least, time));
  const last = times.reduce((most, time) => Math.max(most, time));
  await ensurePartitions(pool, first, last);
  return times.length === events.length;
}

/** The time in an event's id; none if it is implausibly far from the receipt, so that it creates no partitions. */
function plausibleTime(event: unknown): number[] {
  const { id, receivedAt } = (event ?? {}) as { id?: unknown; receivedAt?: unknown };
  if (typeof id !== 'string' || typeof receivedAt !== 'string') return [];
  const timeMs = uuidTime(id);
  return Math.abs(timeMs - Date.parse(receivedAt)) <= MAX_DISTANCE_MS ? [timeMs] : [];
}

function report({ log, metrics }: ProcessorDependencies, outcome: BatchOutcome): void {
  if (outcome.batches === 0) return;
  const { events, stored, sampled, inserted, dropped } = outcome;
  // It is committed: the next batches must not wait for a bug in the previous ones.
  if (inserted !== stored + sampled || stored + sampled + dropped !== events)
    log.error({ events, stored, sampled, inserted, dropped }, 'the ledger does not add up after a batch');
  metrics.processingBatchEvents.observe(events);
  for (const result of ['stored', 'sampled', 'duplicate', 'dropped'] as const) {
    if (outcome[result] > 0) metrics.eventsProcessed.inc({ result }, outcome[result]);
  }
}
