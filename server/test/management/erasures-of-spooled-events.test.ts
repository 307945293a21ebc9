import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { makeScratchDirectory } from '@tocsin/simulation/scratch';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Eraser } from '../../src/erasures/eraser.ts';
import { ItemCounts } from '../../src/ingestion/intake/item-counts.ts';
import { toSpoolClaim } from '../../src/ingestion/spool/accept-or-spool.ts';
import { drainSegment } from '../../src/ingestion/spool/drain.ts';
import { Spool } from '../../src/ingestion/spool/spool.ts';
import { createLog } from '../../src/platform/log.ts';
import { upsertLiveness } from '../../src/queue/liveness-queries.ts';
import { createPostgresQueue } from '../../src/queue/postgres-queue.ts';
import { aQueuedEvent, ledgerOf, processed, uuidOf } from '../processing/support.ts';
import { startTestService } from '../support/service.ts';

const service = await startTestService({ own: true, roles: ['management'] });
const { pool } = service.database;
const { clock } = service.context;
const USER = 'usr_4711';

/** A project with a requested erasure, and a process with an event of the user on its disk. */
async function begin() {
  const owner = await service.signUp();
  const { id: projectId } = await owner.createProject();
  const directory = await makeScratchDirectory();
  const spool = new Spool({ directory, clock, readFreeBytes: async () => Number.MAX_SAFE_INTEGER });
  const processId = randomUUID();
  onTestFinished(async () => {
    await spool.close();
    await rm(directory, { recursive: true });
    await pool.query('DELETE FROM intake_presence WHERE process_id = $1', [processId]);
    await pool.query('DELETE FROM erasures');
  });
  const { rows } = await pool.query('SELECT id FROM api_keys WHERE project_id = $1', [uuidOf(projectId)]);
  const event = aQueuedEvent(projectId, { correlation: { user_id: USER } });
  const owned = { keyId: String(rows[0]?.id), projectId: uuidOf(projectId) };
  const item = { ...owned, events: [JSON.stringify(event)], claim: toSpoolClaim(event.id, clock.now()) };
  await spool.append({ receivedAt: event.receivedAt, item });
  const report = (isLast = false) =>
    upsertLiveness(pool, processId, new Date(clock.now()), { onDisk: spool.countByProject(), isLast });
  await report();
  const { body } = await owner.api.post('/erasures', { projectId, key: 'user_id', value: USER });
  const eraser = new Eraser({ ...service.context, pool, retentionDays: 30 });
  const takeSteps = async () => {
    while ((await eraser.runOnce()) === 'again');
    return (await owner.api.get(`/erasures/${body.id}`)).body;
  };
  return { owner, projectId, processId, spool, report, takeSteps };
}

describe('an erasure of events on the disk of an ingestion process', () => {
  it('waits for what was drained into the queue after it began', async () => {
    const { owner, projectId, spool, report, takeSteps } = await begin();
    expect(await takeSteps()).toMatchObject({ state: 'waiting' });
    const queue = createPostgresQueue({ pool, clock });
    const counts = new ItemCounts();
    const draining = { pool, clock, spool, queue, counts, log: createLog('silent'), countLive: () => 0 };
    await drainSegment({ ...draining, onCommit: () => undefined }, new AbortController().signal);
    await report();
    expect(spool.countByProject()).toEqual({});
    expect(await takeSteps()).toMatchObject({ state: 'waiting' });
    await processed(service);
    expect(await takeSteps()).toMatchObject({ state: 'done', events: 1 });
    expect(await ledgerOf(owner, projectId)).toMatchObject({ stored: 0, erased: 1 });
  });

  it('waits ten minutes for a process that ended with some, and then names its disk', async () => {
    const { processId, report, takeSteps } = await begin();
    await report(true);
    expect(await takeSteps()).toMatchObject({ state: 'waiting' });
    const endedBefore = (minutes: number) =>
      pool.query(
        `UPDATE intake_presence SET since = until - make_interval(mins => $2), until = until - make_interval(mins => $2)
          WHERE process_id = $1`,
        [processId, minutes],
      );
    await endedBefore(9);
    expect(await takeSteps()).toMatchObject({ state: 'waiting' });
    await endedBefore(2);
    const { state, unreached } = await takeSteps();
    expect([state, unreached]).toEqual(['done', expect.arrayContaining([{ what: 'disks', until: null }])]);
  });

  it('names the disk of a process that was silent for days when it began', async () => {
    const { processId, takeSteps } = await begin();
    await pool.query(
      `UPDATE intake_presence SET told_at = clock_timestamp() - interval '9 days' WHERE process_id = $1`,
      [processId],
    );
    expect((await takeSteps()).unreached).toContainEqual({ what: 'disks', until: null });
  });
});
