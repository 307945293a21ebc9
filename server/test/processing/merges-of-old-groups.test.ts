import { describe, expect, it } from 'vitest';
import { inPlainTransaction } from '../../src/database/database.ts';
import { finishGroups } from '../../src/groups/keep/finish-groups.ts';
import { addMinutesToHours } from '../../src/groups/retention-queries.ts';
import { newUuid, uuidLowerBound } from '../../src/platform/ids.ts';
import { hourOf, isoTime } from '../../src/platform/time.ts';
import { storeBatches } from '../../src/processing/queries.ts';
import { startTestService } from '../support/service.ts';
import { aQueuedEvent, queueBatch, uuidOf } from './support.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const OPTIONS = { watchedOrganizations: [], lateMs: 300_000 };
const LIMITS = { fromId: 0, maxBatches: 256, maxBytes: 4_000_000 };

/** Names of groups, as fingerprints. */
const [A, B, C] = ['a', 'b', 'c'].map((name) => name.repeat(16)) as [string, string, string];

describe('groups whose old events are in the database no more', async () => {
  // Without a worker: each test stores what it queues.
  const service = await startTestService({ roles: ['management'] });
  const { pool } = service.database;
  const user = await service.signUp();
  const hourMs = hourOf(service.context.clock.now());
  /** Within an hour: what is known of it by the hour alone differs. */
  const daysAgo = (days: number) => hourMs - days * DAY_MS + HOUR_MS / 2;

  /** Stores events, and removes those from before two days ago as retention and the archive do. */
  const begin = async (...events: [fingerprint: string, timeMs: number, release?: string][]) => {
    const { id } = await user.createProject();
    const store = async (...stored: typeof events) => {
      const queued = stored.map(([fingerprint, timeMs, release = null]) =>
        aQueuedEvent(id, {
          fingerprint,
          release,
          id: newUuid(timeMs),
          receivedAt: new Date(timeMs).toISOString(),
        }),
      );
      await queueBatch(pool, id, queued);
      await inPlainTransaction(pool, async (transaction) => {
        await finishGroups(transaction, await storeBatches(transaction, OPTIONS, LIMITS));
      });
    };
    await store(...events);
    await addMinutesToHours(pool, new Date(hourMs - DAY_MS), 10_000);
    await pool.query('DELETE FROM events WHERE project_id = $1 AND id < $2', [
      uuidOf(id),
      uuidLowerBound(hourMs - 2 * DAY_MS),
    ]);
    const { body } = await user.api.get(`/groups?project_id=${id}`);
    const idOf = (fingerprint: string): string =>
      body.find((group: { fingerprint: string }) => group.fingerprint === fingerprint).id;
    const find = async (fingerprint: string) => {
      const { rows } = await pool.query<{ first: Date; last: Date; release: string | null }>(
        `SELECT first_seen AS first, last_seen AS last, last_release AS release FROM groups
          WHERE project_id = $1 AND fingerprint = $2`,
        [uuidOf(id), fingerprint],
      );
      const [group] = rows;
      return group && { ...group, first: isoTime(group.first), last: isoTime(group.last) };
    };
    const merge = async (into: string, one: string) =>
      expect((await user.api.post(`/groups/${idOf(into)}/merge`, { ids: [idOf(one)] })).status).toBe(200);
    const separate = async (from: string, one: string) =>
      expect((await user.api.delete(`/groups/${idOf(from)}/merged/${idOf(one)}`)).status).toBe(200);
    return { store, find, merge, separate };
  };

  it('keeps when they were first seen if they are merged, and if a later group is taken out again', async () => {
    const { find, merge, separate } = await begin(
      [A, daysAgo(4)],
      [A, daysAgo(1)],
      [B, daysAgo(3)],
      [B, daysAgo(1)],
    );
    await merge(A, B);
    expect(await find(A)).toMatchObject({ first: isoTime(daysAgo(4)) });
    await separate(A, B);
    expect(await find(A)).toMatchObject({ first: isoTime(daysAgo(4)) });
    expect(await find(B)).toMatchObject({ first: isoTime(daysAgo(3)) });
  });

  it('finds by the hour when a group was first seen that an earlier one leaves', async () => {
    const { find, merge, separate } = await begin(
      [A, daysAgo(3)],
      [A, daysAgo(1)],
      [B, daysAgo(4)],
      [B, daysAgo(1)],
      [C, daysAgo(1)],
    );
    await merge(A, B);
    expect(await find(A)).toMatchObject({ first: isoTime(daysAgo(4)) });
    // A group that was merged into it goes on to the other one.
    await merge(C, A);
    expect(await find(C)).toMatchObject({ first: isoTime(daysAgo(4)) });
    expect(await find(A)).toMatchObject({ first: isoTime(daysAgo(3) - HOUR_MS / 2) });
    expect(await find(B)).toMatchObject({ first: isoTime(daysAgo(4)) });
    await separate(C, B);
    await separate(C, A);
    expect(await find(C)).toMatchObject({ first: isoTime(daysAgo(1)), last: isoTime(daysAgo(1)) });
  });

  it('finds when they were last seen if no event is left', async () => {
    const { find, merge, separate } = await begin([A, daysAgo(4)], [B, daysAgo(3)]);
    await merge(A, B);
    expect(await find(A)).toMatchObject({ first: isoTime(daysAgo(4)), last: isoTime(daysAgo(3)) });
    await separate(A, B);
    expect(await find(A)).toMatchObject({
      first: isoTime(daysAgo(4)),
      last: isoTime(daysAgo(4) + HOUR_MS / 2 - 1),
    });
    expect(await find(B)).toMatchObject({ first: isoTime(daysAgo(3)), last: isoTime(daysAgo(3)) });
  });

  it('knows the last release that a group was counted with if no event left names one', async () => {
    const { store, find, merge, separate } = await begin(
      [A, daysAgo(4), '1.0.0'],
      [A, daysAgo(3), '1.1.0'],
      [A, daysAgo(1)],
      [B, daysAgo(3), '0.9.0'],
      [C, daysAgo(1)],
    );
    await merge(A, B);
    expect(await find(A)).toMatchObject({ release: '1.1.0' });
    await store([B, daysAgo(0) - HOUR_MS, '2.0.0']);
    expect(await find(A)).toMatchObject({ release: '2.0.0' });
    await separate(A, B);
    expect(await find(A)).toMatchObject({ release: '1.1.0' });
    await merge(C, A);
    expect(await find(C)).toMatchObject({ release: '1.1.0' });
    await separate(C, A);
    expect(await find(C)).toMatchObject({ release: null });
  });
});
