import { describe, expect, it } from 'vitest';
import { startTestService } from '../support/service.ts';
import { aQueuedEvent, ledgerOf, processed, storeBatch, uuidOf } from './support.ts';

describe('a ledger that does not add up', async () => {
  const lines: { msg: string; [name: string]: unknown }[] = [];
  const service = await startTestService({
    environment: { LOG_LEVEL: 'error' },
    logDestination: { write: (line) => lines.push(JSON.parse(line)) },
  });
  const { pool } = service.database;
  const user = await service.signUp();
  /** Puts events into the queue that counts more of them than there are. */
  const queueMiscounted = (id: string, events: unknown[], deltas: { accepted: number; duplicate: number }) =>
    pool.query('INSERT INTO queue (bytes, deltas, events) VALUES (1, $1, $2)', [
      JSON.stringify({ [uuidOf(id)]: deltas }),
      JSON.stringify(events),
    ]);

  it('logs an error when a batch holds fewer events than it counts, and continues', async () => {
    const { id } = await user.createProject();
    lines.length = 0;
    await queueMiscounted(id, [aQueuedEvent(id)], { accepted: 3, duplicate: 0 });
    await storeBatch(service, id, [aQueuedEvent(id)]);
    expect(lines).toMatchObject([
      { msg: 'the ledger does not add up after a batch', stored: expect.any(Number) },
    ]);
    expect(await ledgerOf(user, id)).toMatchObject({ accepted: 4, queued: 0 });
  });

  it('logs an error when the halves of a split batch count fewer events than the batch did', async () => {
    const { id } = await user.createProject();
    lines.length = 0;
    const bad = { ...aQueuedEvent(id), severity: 'none' };
    await queueMiscounted(id, [aQueuedEvent(id), bad], { accepted: 5, duplicate: 1 });
    await processed(service);
    expect(lines).toMatchObject([
      {
        msg: 'the ledger does not add up after a split',
        before: { accepted: 5, duplicate: 1 },
        after: { accepted: 3, duplicate: 1 },
      },
    ]);
  });

  it('logs an error when a refused batch counts more repeats than events', async () => {
    const { id } = await user.createProject();
    lines.length = 0;
    await queueMiscounted(id, [{ ...aQueuedEvent(id), severity: 'none' }], { accepted: 1, duplicate: 2 });
    await processed(service);
    expect(lines).toMatchObject([{ msg: 'a ledger does not add up', accepted: 1, duplicate: 2 }]);
  });

  it('logs an error when a ledger does not add up, and returns it unchanged', async () => {
    const { id } = await user.createProject();
    lines.length = 0;
    await pool.query('INSERT INTO ledgers (project_id, accepted, stored) VALUES ($1, 10, 7)', [uuidOf(id)]);
    expect(await ledgerOf(user, id)).toMatchObject({ accepted: 10, stored: 7 });
    expect(lines).toMatchObject([{ msg: 'a ledger does not add up', projectId: uuidOf(id), stored: 7 }]);
  });
});
