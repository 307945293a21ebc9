import { describe, expect, it } from 'vitest';
import { inPlainTransaction } from '../../src/database/database.ts';
import { keepGroups } from '../../src/groups/keep/keep-groups.ts';
import { KnownPlaces } from '../../src/groups/keep/known-places.ts';
import { KnownUsers } from '../../src/groups/keep/known-users.ts';
import { MAX_KNOWN_USERS } from '../../src/groups/limits.ts';
import { newUuid, toUuid } from '../../src/platform/ids.ts';
import { storeOldestBatches, storePlainBatches } from '../../src/processing/queries.ts';
import type { QueuedEvent } from '../../src/queue/queue.ts';
import { startTestService } from '../support/service.ts';
import { rounds } from '../support/test-length.ts';
import { aQueuedEvent, queueBatch, uuidOf } from './support.ts';

const OPTIONS = { watchedOrganizations: [], lateMs: 300_000 };
const LIMITS = { fromId: 0, maxBatches: 256, maxBytes: 4_000_000 };
const hex = (number: number) => number.toString(16).padStart(16, '0');

describe('batches whose groups are counted in the statement that stores them', async () => {
  // Without a worker: each test stores what it queues.
  const service = await startTestService({ roles: ['management'] });
  const { pool } = service.database;
  const user = await service.signUp();

  const storePlain = () => storePlainBatches(pool, OPTIONS, LIMITS);
  const storeKept = () =>
    inPlainTransaction(pool, async (transaction) => {
      const { cells } = await storeOldestBatches(transaction, OPTIONS, LIMITS);
      await keepGroups(transaction, cells ?? [], { places: new KnownPlaces(), users: new KnownUsers() });
    });
  const store = async (projectId: string, events: unknown[]) => {
    await queueBatch(pool, projectId, events);
    await storeKept();
  };
  const isPlain = async (projectId: string, events: unknown[]) => {
    await queueBatch(pool, projectId, events);
    const outcome = await storePlain();
    const { rows } = await pool.query('SELECT count(*)::int AS waiting FROM queue');
    expect(rows[0].waiting).toBe(outcome ? 0 : 1);
    if (!outcome) await storeKept();
    return outcome !== null;
  };
  const groupIdOf = async (projectId: string, fingerprint: string) => {
    const { body } = await user.api.get(`/groups?project_id=${projectId}`);
    return body.find((group: { fingerprint: string }) => group.fingerprint === fingerprint).id;
  };

  /** All that is counted of a project, with fingerprints in the place of ids. */
  const countedOf = async (projectId: string) => {
    const { rows } = await pool.query(
      `SELECT fingerprint, title, severity, state, count, users, first_seen, last_seen, first_release, last_release,
          (SELECT json_agg(json_build_array(minute, info, warn, error, critical) ORDER BY minute)
            FROM group_minutes WHERE group_id = groups.id) AS minutes,
          (SELECT json_agg(release ORDER BY release) FROM group_releases WHERE group_id = groups.id) AS releases,
          (SELECT json_agg(user_hash ORDER BY user_hash) FROM group_users WHERE group_id = groups.id) AS hashes
        FROM groups WHERE project_id = $1 ORDER BY fingerprint`,
      [uuidOf(projectId)],
    );
    const { rows: releases } = await pool.query(
      `SELECT version, first_seen, last_seen, events, errors, new_groups, users, first_user FROM releases
        WHERE project_id = $1 ORDER BY version`,
      [uuidOf(projectId)],
    );
    return { groups: rows, releases };
  };

  it('counts random batches as the transaction of several statements does', async () => {
    const [plain, kept] = [await user.createProject(), await user.createProject()];
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    const pick = <T>(list: readonly T[]) => list[random(list.length)] as T;
    const nowMs = Math.floor(service.context.clock.now() / 60_000) * 60_000;
    let stored = 0;
    for (let round = 0; round < rounds(30, 60); round++) {
      // Ten moments, so that batches tie in time. Events of one batch and moment name one release or none, and have one text:
      // of several, any may count as the first or the last.
      const namedAt = Array.from({ length: 10 }, () => pick(['1.0.0', ' 1.0.0 ', '1.0.1']));
      const batch: Partial<QueuedEvent>[] = Array.from({ length: 1 + random(30) }, () => {
        const moment = random(namedAt.length);
        const named = namedAt[moment] ?? null;
        return {
          id: newUuid(nowMs - moment * 20_000),
          fingerprint: hex(random(9)),
          severity: pick(['info', 'warn', 'error', 'critical'] as const),
          release: pick([null, ' ', named]),
          correlation: pick([
            {},
            { user_id: '' },
            { user_id: `u${random(40)}` },
            { user_id: '', customer_id: `c${random(9)}` },
          ]),
        };
      });
      const [first, second] = [plain, kept].map(({ id }) =>
        batch.map((event) => {
          const capturedMs = Number.parseInt(String(event.id).replace('-', '').slice(0, 12), 16);
          const message = `Kind ${event.fingerprint} ${capturedMs}`;
          return aQueuedEvent(id, { ...event, id: newUuid(capturedMs), message });
        }),
      ) as [QueuedEvent[], QueuedEvent[]];
      if (await isPlain(plain.id, first)) stored++;
      await store(kept.id, second);
    }
    // The first rounds begin groups and releases.
    expect(stored).toBeGreaterThan(rounds(10, 30));
    const counted = await countedOf(plain.id);
    expect(counted.groups).toHaveLength(9);
    expect(counted).toEqual(await countedOf(kept.id));
  });

  it('counts a batch of more than a thousand known kinds in one statement', async () => {
    const { id } = await user.createProject();
    const kinds = Array.from({ length: 1_500 }, (_, kind) => hex(kind + 1));
    const batch = () => kinds.map((fingerprint) => aQueuedEvent(id, { fingerprint, release: '1.0.0' }));
    await store(id, batch());
    expect(await isPlain(id, batch())).toBe(true);
    const { groups } = await countedOf(id);
    expect(groups.filter(({ count }) => count === 2)).toHaveLength(kinds.length);
  });

  it('counts any number of events of one kind in one statement, unless they name more users than are counted', async () => {
    const { id } = await user.createProject();
    await store(id, [aQueuedEvent(id, { fingerprint: hex(1) })]);
    // At one moment, so that all are counted together.
    const now = service.context.clock.now();
    const receivedAt = new Date(now).toISOString();
    const manyBy = (correlationOf: (index: number) => Record<string, unknown>) =>
      Array.from({ length: MAX_KNOWN_USERS + 1 }, (_, index) =>
        aQueuedEvent(id, {
          id: newUuid(now),
          receivedAt,
          fingerprint: hex(1),
          correlation: correlationOf(index),
        }),
      );
    expect(
      await isPlain(
        id,
        manyBy(() => ({})),
      ),
    ).toBe(true);
    expect(
      await isPlain(
        id,
        manyBy((index) => ({ user_id: `u${index % 2}` })),
      ),
    ).toBe(true);
    expect(
      await isPlain(
        id,
        manyBy((index) => ({ user_id: `u${index}` })),
      ),
    ).toBe(false);
    const { groups } = await countedOf(id);
    expect(groups).toMatchObject([{ count: 3 * (MAX_KNOWN_USERS + 1) + 1, users: MAX_KNOWN_USERS + 1 }]);
  });

  it('does nothing with a batch that begins a group, names a new release of one, or holds a deploy', async () => {
    const { id } = await user.createProject();
    const known = { fingerprint: hex(1), release: '1.0.0' };
    await store(id, [aQueuedEvent(id, known)]);
    expect(await isPlain(id, [aQueuedEvent(id, known)])).toBe(true);
    expect(await isPlain(id, [aQueuedEvent(id, known), aQueuedEvent(id, { fingerprint: hex(2) })])).toBe(
      false,
    );
    expect(await isPlain(id, [aQueuedEvent(id, { ...known, release: '1.0.1' })])).toBe(false);
    expect(await isPlain(id, [aQueuedEvent(id, { ...known, release: '1.0.1' })])).toBe(true);
    // No longer the last one, but known.
    expect(await isPlain(id, [aQueuedEvent(id, known)])).toBe(true);
    // The first release of a group that began without one.
    expect(await isPlain(id, [aQueuedEvent(id, { fingerprint: hex(2), release: '1.0.0' })])).toBe(false);
    const deploy = {
      release: '1.0.2',
      environment: 'production',
      at: new Date(service.context.clock.now()).toISOString(),
    };
    const { id: deployId, projectId, receivedAt } = aQueuedEvent(id);
    expect(
      await isPlain(id, [aQueuedEvent(id, known), { id: deployId, projectId, receivedAt, deploy }]),
    ).toBe(false);
    const { rows } = await pool.query('SELECT count FROM groups WHERE project_id = $1 ORDER BY fingerprint', [
      uuidOf(id),
    ]);
    expect(rows).toEqual([{ count: 7 }, { count: 2 }]);
  });

  it('does nothing with a batch whose groups an event may reopen, or that merged groups count', async () => {
    const { id } = await user.createProject();
    await store(
      id,
      [1, 2, 3].map((kind) => aQueuedEvent(id, { fingerprint: hex(kind) })),
    );
    const groupIds = await Promise.all([1, 2, 3].map((kind) => groupIdOf(id, hex(kind))));
    const event = (kind: number) => aQueuedEvent(id, { fingerprint: hex(kind) });

    await user.api.patch(`/groups/${groupIds[0]}`, { state: 'muted', muteForCount: 100 });
    expect(await isPlain(id, [event(1)])).toBe(false);
    await user.api.patch(`/groups/${groupIds[0]}`, { state: 'muted' });
    expect(await isPlain(id, [event(1)])).toBe(true);
    await user.api.patch(`/groups/${groupIds[0]}`, { state: 'resolved' });
    expect(await isPlain(id, [event(1)])).toBe(false);
    expect(await isPlain(id, [event(1)])).toBe(true);

    await user.api.post(`/groups/${groupIds[1]}/merge`, { ids: [groupIds[2]] });
    expect(await isPlain(id, [event(2)])).toBe(false);
    expect(await isPlain(id, [event(3)])).toBe(false);
    await user.api.delete(`/groups/${groupIds[1]}/merged/${groupIds[2]}`);
    expect(await isPlain(id, [event(2), event(3)])).toBe(true);
    const { rows } = await pool.query(
      'SELECT id, state, count FROM groups WHERE project_id = $1 ORDER BY fingerprint',
      [uuidOf(id)],
    );
    expect(rows).toEqual([
      { id: toUuid('grp', groupIds[0]), state: 'open', count: 5 },
      { id: toUuid('grp', groupIds[1]), state: 'open', count: 3 },
      { id: toUuid('grp', groupIds[2]), state: 'open', count: 3 },
    ]);
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
      const { cells } = await storeOldestBatches(transaction, OPTIONS, LIMITS);
      const { rows } = await pool.query(
        'SELECT fingerprint FROM groups WHERE project_id = $1 FOR NO KEY UPDATE SKIP LOCKED',
        [uuidOf(id)],
      );
      expect(rows).toEqual([]);
      await keepGroups(transaction, cells ?? [], { places: new KnownPlaces(), users: new KnownUsers() });
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
