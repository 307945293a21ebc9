import type { Pool } from '../database/database.ts';
import { KeyAuthentication } from '../ingestion/authentication/authenticate.ts';
import { KeyLookup } from '../ingestion/authentication/key-lookup.ts';
import { KeyUsage } from '../ingestion/authentication/key-usage.ts';
import { ProjectScrubbing } from '../ingestion/event/project-scrubbing.ts';
import { EVENT_QUEUE } from '../ingestion/hot-route/event-task.ts';
import { AnswerPace } from '../ingestion/intake/answer-pace.ts';
import { Intake } from '../ingestion/intake/intake.ts';
import { ItemCounts } from '../ingestion/intake/item-counts.ts';
import { Quotas } from '../ingestion/quotas/quotas.ts';
import { RequestCounts } from '../ingestion/requests/request-counts.ts';
import { KeyedQueue } from '../platform/keyed-queue.ts';
import { createPostgresQueue } from '../queue/postgres-queue.ts';
import type { IntakeQueue } from '../queue/queue.ts';
import { findKeyOwners } from '../tenancy/api-keys/queries.ts';
import type { RoleContext } from './role.ts';
import { createSpooling, type SpoolConfig } from './spooling.ts';

export type IngestionParts = ReturnType<typeof createIngestionParts>;

/** Makes what the routes and loops of ingestion share: the way into the queue, keys, choices of projects and counts. */
export function createIngestionParts(
  context: RoleContext,
  config: SpoolConfig,
  pool: Pool,
  onAccepted: () => void,
) {
  const { clock, databaseState, metrics, monotonicMs, processId } = context;
  const stored = createPostgresQueue({ pool, clock });
  const spooling = createSpooling(context, config);
  const awaking = notifyOnAppend(stored, onAccepted);
  const pace = new AnswerPace();
  const intake = new Intake(spooling ? spooling.outage.observe(awaking) : awaking, metrics, {
    findRefusal: databaseState.findIntakeRefusal,
    monotonicMs,
    takeAnswers: () => pace.take(),
    onSilence: (sinceMs) => spooling?.outage.noteSilence(sinceMs),
  });
  const events = new KeyedQueue(EVENT_QUEUE);
  metrics.measureIntakeWaiting({ forCommit: () => intake.waiting, forTurn: () => events.waiting });
  if (spooling) metrics.measureSpool(() => spooling.spool.waiting);
  const keys = new KeyLookup((hashes) => findKeyOwners(pool, hashes), metrics, monotonicMs);
  const counts = new ItemCounts();
  const quotas = new Quotas({
    pool,
    processId,
    clock,
    monotonicMs,
    counts,
    isLost: () => spooling !== null && spooling.outage.durationMs !== null,
  });
  return {
    stored,
    spooling,
    pace,
    intake,
    /** Turns of single events. */
    events,
    authentication: new KeyAuthentication(keys),
    envelopeAuthentication: new KeyAuthentication(keys, true),
    usage: new KeyUsage(),
    counts,
    requests: new RequestCounts(monotonicMs),
    scrubbing: new ProjectScrubbing(metrics),
    quotas,
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
