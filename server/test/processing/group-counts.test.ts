import { describe, expect, it } from 'vitest';
import { inPlainTransaction } from '../../src/database/database.ts';
import { addToGroup, insertUsersOfMerged, updateMergedInto } from '../../src/groups/change/merge-queries.ts';
import { finishGroups } from '../../src/groups/keep/finish-groups.ts';
import { MAX_KNOWN_USERS } from '../../src/groups/limits.ts';
import { lockGroups } from '../../src/groups/queries.ts';
import { deleteGroupsLastSeenBefore } from '../../src/groups/retention-queries.ts';
import { newUuid, toUuid } from '../../src/platform/ids.ts';
import { storeBatches } from '../../src/processing/queries.ts';
import type { QueuedEvent } from '../../src/queue/queue.ts';
import { countLockWaits } from '../support/lock-waits.ts';
import { startTestService } from '../support/service.ts';
import { rounds } from '../support/test-length.ts';
import { waitFor } from '../support/wait.ts';
import { GroupModel, type ModelEvent } from './group-model.ts';
import { aQueuedEvent, queueBatch, uuidOf } from './support.ts';

const OPTIONS = { watchedOrganizations: [], lateMs: 300_000 };
const LIMITS = { fromId: 0, maxBatches: 256, maxBytes: 4_000_000 };
const MINUTE_MS = 60_000;
const hex = (number: number) => number.toString(16).padStart(16, '0');

describe('the counts of groups', async () => {
  // Without a worker: each test stores what it queues.
  const service = await startTestService({ roles: ['management'] });
  const { pool } = service.database;
  const user = await service.signUp();
  const nowMs = Math.floor(service.context.clock.now() / MINUTE_MS) * MINUTE_MS;

  const storeQueued = () =>
    inPlainTransaction(pool, async (transaction) => {
      const stored = await storeBatches(transaction, OPTIONS, LIMITS);
      await finishGroups(transaction, stored);
      return stored;
    });
  /** @returns the fingerprints that the statement leaves to be finished */
  const store = async (projectId: string, events: unknown[]) => {
    await queueBatch(pool, projectId, events);
    const { cells, inserted } = await storeQueued();
    expect(inserted).toBe(events.length);
    const left: { fingerprint: string }[] = JSON.parse(cells ?? '[]');
    return left.map(({ fingerprint }) => fingerprint);
  };
  const toQueued = (projectId: string, { capturedMs, ...event }: ModelEvent): QueuedEvent =>
    aQueuedEvent(projectId, {
      ...event,
      id: newUuid(capturedMs),
      receivedAt: new Date(capturedMs).toISOString(),
    });
  const groupIdOf = async (projectId: string, fingerprint: string): Promise<string> => {
    const { body } = await user.api.get(`/groups?project_id=${projectId}`);
    return body.find((group: { fingerprint: string }) => group.fingerprint === fingerprint).id;
  };

  /** The groups of a project as the model lists them. */
  const listGroups = async (projectId: string) => {
    const { rows } = await pool.query(
      `SELECT fingerprint, count, severity, (extract(epoch FROM first_seen) * 1000)::bigint AS "firstMs",
          (extract(epoch FROM last_seen) * 1000)::bigint AS "lastMs", first_release AS "firstRelease",
          last_release AS "lastRelease", users,
          (SELECT count(*) FROM group_users WHERE group_id = groups.id) AS hashes,
          (SELECT coalesce(json_agg(json_build_object('ms', (extract(epoch FROM minute) * 1000)::bigint, 'info', info,
            'warn', warn, 'error', error, 'critical', critical) ORDER BY minute), '[]')
            FROM group_minutes WHERE group_id = groups.id) AS minutes,
          (SELECT coalesce(json_agg(release ORDER BY release COLLATE "C"), '[]')
            FROM group_releases WHERE group_id = groups.id) AS releases
        FROM groups WHERE project_id = $1 ORDER BY fingerprint`,
      [uuidOf(projectId)],
    );
    return rows.map(({ hashes, ...group }) => {
      expect(hashes).toBe(group.users);
      return group;
    });
  };

  it('counts random batches like a model that adds event by event', async () => {
    const { id } = await user.createProject();
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    const pick = <T>(list: readonly T[]) => list[random(list.length)] as T;
    const anEvent = (): ModelEvent => ({
      fingerprint: hex(random(9)),
      // Ten moments, so that events tie in time, in a batch and with those of before.
      capturedMs: nowMs - random(10) * 20_000,
      severity: pick(['info', 'warn', 'error', 'critical'] as const),
      release: pick([null, null, ' ', '1.0.0', ' 1.0.0 ', '1.0.1', 'B', 'a']),
      correlation: pick<Record<string, string>>([
        {},
        { user_id: '' },
        { user_id: `u${random(40)}` },
        { user_id: '', customer_id: `c${random(9)}` },
      ]),
    });
    // Two groups of one event are merged into a third at the beginning, and so have nothing before it that ties.
    const head = hex(7);
    const model = new GroupModel(new Map([hex(8), hex(6)].map((merged) => [merged, head])));
    const first = [6, 7, 8].map(
      (kind): ModelEvent => ({
        ...anEvent(),
        fingerprint: hex(kind),
        capturedMs: nowMs - 300_000,
        release: null,
        correlation: {},
      }),
    );
    const alone = new GroupModel();
    for (const one of [model, alone]) one.add(first);
    expect(
      await store(
        id,
        first.map((event) => toQueued(id, event)),
      ),
    ).toHaveLength(3);
    const [merged, into, also] = await Promise.all([8, 7, 6].map((kind) => groupIdOf(id, hex(kind))));
    expect((await user.api.post(`/groups/${into}/merge`, { ids: [merged, also] })).status).toBe(200);

    for (let round = 0; round < rounds(30, 100); round++) {
      const batch = Array.from({ length: 1 + random(30) }, anEvent);
      await store(
        id,
        batch.map((event) => toQueued(id, event)),
      );
      for (const one of [model, alone]) one.add(batch);
    }
    const groups = await listGroups(id);
    expect(groups).toHaveLength(9);
    expect(groups).toEqual(model.list());
    // Each group knows its own events apart, so that it counts them alone when it is taken out again.
    for (const mergedId of [merged, also])
      expect((await user.api.delete(`/groups/${into}/merged/${mergedId}`)).status).toBe(200);
    const withoutReleases = (list: ReturnType<GroupModel['list']>) =>
      list.map(({ firstRelease: _first, lastRelease: _last, ...group }) => group);
    expect(withoutReleases(await listGroups(id))).toEqual(withoutReleases(alone.list()));
  });

  describe('where events tie', () => {
    interface Tie {
      rule: string;
      /** Batches of events, each as its milliseconds and its release. */
      batches: [ms: number, release: string | null][][];
      first: string | null;
      last: string | null;
    }
    it.each<Tie>([
      { rule: 'of two batches the later one', batches: [[[5, 'a']], [[5, 'B']]], first: 'a', last: 'B' },
      {
        rule: 'of one batch the greatest bytes',
        batches: [
          [
            [5, 'a'],
            [5, 'B'],
            [5, 'A'],
          ],
        ],
        first: 'A',
        last: 'a',
      },
      {
        rule: 'one with a release over one without',
        batches: [
          [[5, 'a']],
          [
            [5, null],
            [5, 'B'],
          ],
        ],
        first: 'a',
        last: 'B',
      },
      {
        rule: 'the last one that names one',
        batches: [
          [[5, 'a']],
          [
            [6, 'b'],
            [7, null],
          ],
        ],
        first: 'a',
        last: 'b',
      },
      {
        rule: 'none that is older than what was stored',
        batches: [[[5, 'a']], [[4, 'b']]],
        first: 'a',
        last: 'a',
      },
      {
        rule: 'none that is older than one without',
        batches: [[[3, 'a']], [[5, null]], [[4, 'b']]],
        first: 'a',
        last: 'a',
      },
      {
        rule: 'the greatest bytes where none was known',
        batches: [
          [[5, null]],
          [
            [6, 'a'],
            [6, 'B'],
          ],
        ],
        first: 'B',
        last: 'a',
      },
      {
        rule: 'any where none was known',
        batches: [
          [[5, null]],
          [
            [3, 'b'],
            [4, 'a'],
          ],
        ],
        first: 'b',
        last: 'a',
      },
    ])('picks as the last release $rule', async ({ batches, first, last }) => {
      const { id } = await user.createProject();
      for (const batch of batches)
        await store(
          id,
          batch.map(([ms, release]) =>
            toQueued(id, {
              fingerprint: hex(1),
              capturedMs: nowMs + ms,
              severity: 'info',
              release,
              correlation: {},
            }),
          ),
        );
      expect(await listGroups(id)).toMatchObject([{ firstRelease: first, lastRelease: last }]);
    });

    it('picks the worst severity of events with equal times', async () => {
      const { id } = await user.createProject();
      for (const severity of ['warn', 'critical', 'error'] as const)
        await store(id, [
          toQueued(id, { fingerprint: hex(1), capturedMs: nowMs, severity, release: null, correlation: {} }),
        ]);
      expect(await listGroups(id)).toMatchObject([{ severity: 'critical' }]);
    });
  });

  it('leaves only events that begin a group to be finished', async () => {
    const { id } = await user.createProject();
    const known = { fingerprint: hex(1), release: '1.0.0' };
    expect(await store(id, [aQueuedEvent(id, known)])).toEqual([hex(1)]);
    const { id: deployId, projectId, receivedAt } = aQueuedEvent(id);
    const deploy = { release: '1.0.2', at: receivedAt };
    expect(
      await store(id, [
        aQueuedEvent(id, known),
        aQueuedEvent(id, { fingerprint: hex(2) }),
        aQueuedEvent(id, { ...known, release: '1.0.1' }),
        { id: deployId, projectId, receivedAt, deploy },
      ]),
    ).toEqual([hex(2)]);
    // The first release of a group that began without one.
    expect(await store(id, [aQueuedEvent(id, { fingerprint: hex(2), release: '1.0.0' })])).toEqual([]);
    expect(await listGroups(id)).toMatchObject([
      { count: 3, releases: ['1.0.0', '1.0.1'] },
      { count: 2, releases: ['1.0.0'], firstRelease: '1.0.0' },
    ]);
    const { rows } = await pool.query('SELECT release FROM deploys WHERE project_id = $1', [projectId]);
    expect(rows).toEqual([{ release: '1.0.2' }]);
  });

  it('counts more than a thousand known kinds in one statement', async () => {
    const { id } = await user.createProject();
    const kinds = Array.from({ length: 1_500 }, (_, kind) => hex(kind + 1));
    const batch = () => kinds.map((fingerprint) => aQueuedEvent(id, { fingerprint, release: '1.0.0' }));
    expect(await store(id, batch())).toHaveLength(kinds.length);
    expect(await store(id, batch())).toEqual([]);
    expect((await listGroups(id)).filter(({ count }) => count === 2)).toHaveLength(kinds.length);
  });

  it('stores no more users of a group over the counted number', async () => {
    const { id } = await user.createProject();
    const manyBy = (correlationOf: (index: number) => Record<string, unknown>) =>
      Array.from({ length: MAX_KNOWN_USERS + 500 }, (_, index) =>
        aQueuedEvent(id, { fingerprint: hex(1), correlation: correlationOf(index) }),
      );
    await store(
      id,
      manyBy((index) => ({ user_id: `u${index % 2}` })),
    );
    expect(await listGroups(id)).toMatchObject([{ users: 2 }]);
    await store(
      id,
      manyBy((index) => ({ user_id: `u${index}` })),
    );
    const countKnown = async () => {
      const { rows } = await pool.query<{ users: number; known: number }>(
        `SELECT users, (SELECT count(*) FROM group_users WHERE group_id = groups.id) AS known
          FROM groups WHERE project_id = $1`,
        [uuidOf(id)],
      );
      return rows[0];
    };
    const before = await countKnown();
    expect(before?.users).toBe(MAX_KNOWN_USERS + 1);
    expect(before?.known).toBeLessThanOrEqual(MAX_KNOWN_USERS + 3);
    await store(
      id,
      manyBy((index) => ({ user_id: `other ${index}` })),
    );
    expect(await countKnown()).toEqual(before);
  });

  it('continues the counts of groups that events reopen', async () => {
    const { id } = await user.createProject();
    const event = () => aQueuedEvent(id, { fingerprint: hex(1) });
    await store(id, [event()]);
    const groupId = await groupIdOf(id, hex(1));
    const stateAfter = async (patch: object) => {
      await user.api.patch(`/groups/${groupId}`, patch);
      expect(await store(id, [event(), event()])).toEqual([]);
      const { body } = await user.api.get(`/groups/${groupId}`);
      return [body.state, body.count];
    };
    expect(await stateAfter({ state: 'muted', muteForCount: 100 })).toEqual(['muted', 3]);
    expect(await stateAfter({ state: 'muted', muteForCount: 2 })).toEqual(['open', 5]);
    expect(await stateAfter({ state: 'muted' })).toEqual(['muted', 7]);
    expect(await stateAfter({ state: 'resolved' })).toEqual(['open', 9]);
  });

  it.each([
    ['merged', 'into another group'],
    ['deleted', 'by retention'],
  ])('counts all events of a group that is %s at the same moment %s', async (change) => {
    const { id } = await user.createProject();
    const event = (kind: number) =>
      aQueuedEvent(id, { fingerprint: hex(kind), correlation: { user_id: `of ${kind}` } });
    await store(id, [event(1), event(2)]);
    const [merged, head] = await Promise.all(
      [1, 2].map(async (kind) => toUuid('grp', await groupIdOf(id, hex(kind))) ?? ''),
    );
    if (merged === undefined || head === undefined) throw new Error('Two groups were expected.');
    await queueBatch(pool, id, [event(1), event(1)]);
    let storing: Promise<unknown> | undefined;
    await inPlainTransaction(pool, async (transaction) => {
      await lockGroups(transaction, [merged, head].toSorted());
      storing = storeQueued();
      await waitFor('the statement to wait for the groups', async () => (await countLockWaits(pool)) > 0);
      if (change === 'deleted') {
        const after = new Date(service.context.clock.now() + MINUTE_MS);
        expect(await deleteGroupsLastSeenBefore(transaction, after, 10_000)).toBeGreaterThan(1);
        return;
      }
      await updateMergedInto(transaction, [merged], head);
      await insertUsersOfMerged(transaction, head, [merged]);
      await addToGroup(transaction, head, 1);
    });
    await storing;
    expect(await listGroups(id)).toMatchObject(
      change === 'deleted'
        ? [{ fingerprint: hex(1), count: 2, users: 1 }]
        : [
            { fingerprint: hex(1), count: 3, users: 1 },
            { fingerprint: hex(2), count: 4, users: 2 },
          ],
    );
  });

  it.each([
    ['for a while', 'expires_at'],
    ['by the former algorithm', 'former'],
  ])('locks groups that fingerprints lead to %s in the order of all others', async (_how, way) => {
    const { id } = await user.createProject();
    // The group with the smaller id is the one that the batch would otherwise lock last.
    await store(id, [aQueuedEvent(id, { fingerprint: hex(1) })]);
    await store(id, [aQueuedEvent(id, { fingerprint: hex(2) })]);
    if (way === 'expires_at')
      await pool.query(
        `INSERT INTO group_fingerprints (project_id, fingerprint, group_id, expires_at)
          SELECT project_id, $2, id, now() + interval '1 day' FROM groups WHERE project_id = $1 AND fingerprint = $3`,
        [uuidOf(id), hex(3), hex(1)],
      );
    await queueBatch(pool, id, [
      aQueuedEvent(id, { fingerprint: hex(2) }),
      aQueuedEvent(id, { fingerprint: hex(3), ...(way === 'former' && { formerFingerprint: hex(1) }) }),
    ]);
    await inPlainTransaction(pool, async (transaction) => {
      const stored = await storeBatches(transaction, OPTIONS, LIMITS);
      const { rows } = await pool.query(
        'SELECT fingerprint FROM groups WHERE project_id = $1 FOR NO KEY UPDATE SKIP LOCKED',
        [uuidOf(id)],
      );
      expect(rows).toEqual([]);
      await finishGroups(transaction, stored);
    });
    const { rows } = await pool.query(
      'SELECT fingerprint, count FROM groups WHERE project_id = $1 ORDER BY fingerprint',
      [uuidOf(id)],
    );
    expect(rows).toEqual([
      { fingerprint: hex(1), count: 2 },
      { fingerprint: hex(2), count: 2 },
    ]);
  });
});
