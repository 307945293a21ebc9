import { LATE_MS } from '@tocsin/detector';
import { describe, expect, it } from 'vitest';
import type { Pool } from '../../src/database/database.ts';
import { createProcessor } from '../../src/processing/processor.ts';
import { countLockWaits } from '../support/lock-waits.ts';
import { startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait.ts';
import { aQueuedEvent, countsOf, queueBatch } from './support.ts';

describe('a worker whose events are of a group that began while it stored them', async () => {
  const service = await startTestService({ own: true, roles: ['management'] });
  const { pool } = service.database;
  const user = await service.signUp();
  const processorOf = (its: Pool) =>
    createProcessor({ ...service.context, pool: its, watchedOrganizations: () => [], lateMs: LATE_MS });

  it('restarts a batch whose new group another worker is storing, and waits for that worker', async () => {
    const { id } = await user.createProject();
    const queue = () => queueBatch(pool, id, [aQueuedEvent(id)]);
    const someoneWaits = (who: string) =>
      waitFor(`${who} to wait for a lock`, async () => (await countLockWaits(pool)) > 0);
    const commit = pausedAt(pool, 'COMMIT');
    const uncounted = pausedAt(pool, 'list-uncounted');

    await queue();
    const first = processorOf(commit.pool).processNext();
    await commit.isReached;
    await queue();
    const second = processorOf(uncounted.pool).processNext();
    await someoneWaits('the second');
    commit.goOn();
    await Promise.all([first, uncounted.isReached]);
    // The third knows the group that the first began: it holds the group, and waits for the ledger that the second has written.
    await queue();
    const third = processorOf(pool).processNext();
    await someoneWaits('the third');
    uncounted.goOn();
    await Promise.all([second, third]);

    expect(await countsOf(pool, id)).toEqual({ events: 3, distinct: 3, counted: 3 });
    const { body } = await user.api.get(`/groups?project_id=${id}`);
    expect(body.map((group: { count: number }) => group.count)).toEqual([3]);
  });
});

/** Returns a pool whose statements with a text or name wait until `goOn` is called. */
function pausedAt(pool: Pool, name: string) {
  let reach = () => {};
  const isReached = new Promise<void>((resolve) => (reach = resolve));
  let goOn = () => {};
  const mayGoOn = new Promise<void>((resolve) => (goOn = resolve));
  const connect = async () => {
    const client = await pool.connect();
    const query = async (statement: string | { name?: string }, values?: unknown[]) => {
      if (name === (typeof statement === 'string' ? statement : statement.name)) {
        reach();
        await mayGoOn;
      }
      return client.query(statement as string, values);
    };
    return Object.create(client, { query: { value: query } });
  };
  const paused: Pool = Object.create(pool, { connect: { value: connect } });
  return { pool: paused, isReached, goOn };
}
