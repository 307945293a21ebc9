import { LATE_MS } from '@tocsin/detector';
import type { Pool } from '../../src/database/database.ts';
import { newUuid, toUuid } from '../../src/platform/ids.ts';
import { createProcessor } from '../../src/processing/processor.ts';
import type { QueuedEvent } from '../../src/queue/queue.ts';
import type { TestService, TestUser } from '../support/service.ts';
import { waitFor } from '../support/wait.ts';

export const NO_EVENTS = {
  accepted: 0,
  stored: 0,
  queued: 0,
  duplicate: 0,
  dead: 0,
  dropped: 0,
  sampled: 0,
  erased: 0,
  expired: 0,
  onDisk: 0,
  unstored: [],
};

export function uuidOf(projectId: string): string {
  const uuid = toUuid('proj', projectId);
  if (!uuid) throw new Error(`${projectId} is no id of a project.`);
  return uuid;
}

/** Returns an event as ingestion queues it. */
export function aQueuedEvent(projectId: string, changes: Partial<QueuedEvent> = {}): QueuedEvent {
  const now = Date.now();
  return {
    id: newUuid(now),
    projectId: uuidOf(projectId),
    receivedAt: new Date(now).toISOString(),
    severity: 'info',
    type: 'checkout',
    source: 'shop',
    message: 'Paid',
    correlationId: 'ord_1',
    fingerprint: '0123456789abcdef',
    fingerprintVersion: 1,
    release: null,
    correlation: {},
    payload: {},
    ...changes,
  };
}

/** Puts a batch into the queue without validation, as SQL by hand or a bug could. */
export async function queueBatch(pool: Pool, projectId: string, events: unknown[] | string): Promise<void> {
  const text = typeof events === 'string' ? events : JSON.stringify(events);
  const accepted = typeof events === 'string' ? 1 : events.length;
  await pool.query('INSERT INTO queue (bytes, deltas, events) VALUES ($1, $2, $3)', [
    text.length,
    JSON.stringify({ [uuidOf(projectId)]: { accepted, duplicate: 0 } }),
    text,
  ]);
}

/**
 * Resolves when the queue is empty; the risk loop may still have its part to do. What was queued past ingestion wakes no
 * worker, which would find it seconds later: another processor takes it at once.
 */
export async function processed({ context, database }: TestService): Promise<void> {
  const { pool } = database;
  const processor = createProcessor({ ...context, pool, watchedOrganizations: () => [], lateMs: LATE_MS });
  while (await processor.processNext());
  await waitFor('the queue to be empty', async () => {
    const { rows } = await pool.query<{ empty: boolean }>('SELECT NOT EXISTS (SELECT FROM queue) AS empty');
    return rows[0]?.empty === true;
  });
}

/** Reads the sums that must agree, whichever process counted them. */
export async function storeBatch(
  service: TestService,
  projectId: string,
  events: unknown[] | string,
): Promise<void> {
  await queueBatch(service.database.pool, projectId, events);
  await processed(service);
}

/** The sums that must agree, whichever process counted them. */
export async function countsOf(pool: Pool, projectId: string) {
  const { rows } = await pool.query<{ events: number; distinct: number; counted: number; streamed: number }>(
    `SELECT (SELECT count(*) FROM events WHERE project_id = $1) AS events,
        (SELECT count(DISTINCT id) FROM events WHERE project_id = $1) AS distinct,
        (SELECT coalesce(sum(count), 0)::bigint FROM event_counts WHERE project_id = $1) AS counted`,
    [uuidOf(projectId)],
  );
  return rows[0];
}

export async function ledgerOf(user: TestUser, projectId: string): Promise<typeof NO_EVENTS> {
  return (await user.api.get(`/projects/${projectId}/ledger`)).body;
}
