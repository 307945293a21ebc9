import { describe, expect, it } from 'vitest';
import { deleteGroupsLastSeenBefore } from '../../src/groups/retention-queries.ts';
import { newUuid, toUuid } from '../../src/platform/ids.ts';
import type { QueuedEvent } from '../../src/queue/queue.ts';
import { startTestService } from '../support/service.ts';
import { aQueuedEvent, processed, queueBatch, storeBatch, uuidOf } from './support.ts';

const HOUR_MS = 3_600_000;
const hex = (number: number) => number.toString(16).padStart(16, '0');

describe('the groups of stored events', async () => {
  const service = await startTestService({ own: true });
  await startTestService({ roles: ['worker'], database: service.database });
  const { pool } = service.database;
  const user = await service.signUp();

  /** Finds differences between groups and the events that they count. */
  const findMistakes = async (projectId: string) => {
    const { rows } = await pool.query(
      `SELECT g.number, g.fingerprint, g.count, held.count AS held, counted.count AS counted FROM groups AS g
        LEFT JOIN (SELECT fingerprint, count(*) AS count FROM events WHERE project_id = $1 GROUP BY 1) AS held
          USING (fingerprint)
        LEFT JOIN (
          SELECT group_id, sum(info + warn + error + critical) AS count FROM group_minutes GROUP BY 1
        ) AS counted ON counted.group_id = g.id
        WHERE g.project_id = $1 AND (g.count IS DISTINCT FROM held.count OR g.count IS DISTINCT FROM counted.count)`,
      [uuidOf(projectId)],
    );
    return rows;
  };
  const listAll = async (projectId: string) => {
    const { rows } = await pool.query<{
      number: number;
      severity: string;
      count: number;
      users: number;
      title: string;
    }>('SELECT number, severity, count, users, title FROM groups WHERE project_id = $1 ORDER BY number', [
      uuidOf(projectId),
    ]);
    return rows;
  };

  it('counts every event once with two workers that meet the same new and known groups', async () => {
    const projects = [await user.createProject(), await user.createProject()];
    const severities = ['info', 'warn', 'error', 'critical'] as const;
    for (let round = 0; round < 40; round++) {
      await Promise.all(
        projects.flatMap(({ id }) =>
          Array.from({ length: 4 }, (_, part) => {
            const kinds = Array.from({ length: 12 }, (_kind, index) => (round * 7 + index + part * 13) % 60);
            const events = kinds.map((kind) =>
              aQueuedEvent(id, {
                fingerprint: hex(kind),
                severity: severities[kind % 4] ?? 'info',
                message: `Kind ${kind}`,
                correlation: { user_id: `u${(round * 12 + kind) % 17}` },
                release: kind % 3 ? '1.0.0' : null,
              }),
            );
            return queueBatch(pool, id, events);
          }),
        ),
      );
    }
    await processed(service);
    for (const { id } of projects) {
      expect(await findMistakes(id)).toEqual([]);
      const groups = await listAll(id);
      expect(groups).toHaveLength(60);
      expect(groups.reduce((sum, { count }) => sum + count, 0)).toBe(40 * 4 * 12);
      expect(new Set(groups.map(({ number }) => number)).size).toBe(60);
      const { rows } = await pool.query(
        `SELECT FROM groups AS g WHERE project_id = $1 AND users <> (
            SELECT count(DISTINCT correlation ->> 'user_id') FROM events
            WHERE project_id = g.project_id AND fingerprint = g.fingerprint)`,
        [uuidOf(id)],
      );
      expect(rows).toEqual([]);
    }
  });

  it('counts an event that is delivered twice once', async () => {
    const { id } = await user.createProject();
    const event = aQueuedEvent(id);
    await storeBatch(service, id, [event]);
    await queueBatch(pool, id, [event, aQueuedEvent(id)]);
    await storeBatch(service, id, [event]);
    expect(await listAll(id)).toMatchObject([{ count: 2 }]);
    expect(await findMistakes(id)).toEqual([]);
  });

  it('creates at most 2,000 groups of errors and as many others a day, and counts the rest in one', async () => {
    const { id } = await user.createProject();
    // One time for all events, so that they are of one day.
    const receivedMs = service.context.clock.now();
    const storm = (severity: QueuedEvent['severity'], first: number) =>
      Array.from({ length: 2_100 }, (_, index) =>
        aQueuedEvent(id, {
          id: newUuid(receivedMs),
          receivedAt: new Date(receivedMs).toISOString(),
          severity,
          fingerprint: hex(first + index),
        }),
      );
    await storeBatch(service, id, storm('info', 0));
    const groups = await listAll(id);
    expect(groups).toHaveLength(2_001);
    expect(groups[0]).toMatchObject({ number: 0, count: 100, title: 'And more' });
    expect(groups.at(-1)).toMatchObject({ number: 2_000, count: 1 });
    await queueBatch(pool, id, storm('error', 10_000));
    await storeBatch(service, id, storm('error', 20_000).slice(0, 50));
    const later = await listAll(id);
    expect(later).toHaveLength(4_001);
    expect(later[0]).toMatchObject({ number: 0, count: 250, severity: 'error' });

    const { body: top } = await user.api.get(`/events/top?by=fingerprint&limit=1&project_id=${id}`);
    expect(top).toMatchObject([{ value: null, label: 'and more (250 events)', count: 250 }]);
    const { body: folded } = await user.api.get(`/events?group_id=${top[0].groupId}&limit=500`);
    expect(folded).toHaveLength(250);
    const { body: same } = await user.api.get(`/groups/${top[0].groupId}/events?limit=500`);
    expect(same.map((event: { id: string }) => event.id)).toEqual(
      folded.map((event: { id: string }) => event.id),
    );
    expect(folded[0].groupId).toBe(top[0].groupId);
  });

  it('counts the users of a group exactly up to 1,000, and shows 1,001 for more', async () => {
    const { id } = await user.createProject();
    const ofUsers = (first: number, count: number) =>
      Array.from({ length: count }, (_, index) =>
        aQueuedEvent(id, { correlation: { user_id: first + index } }),
      );
    await storeBatch(service, id, [...ofUsers(0, 600), ...ofUsers(0, 300)]);
    expect(await listAll(id)).toMatchObject([{ users: 600 }]);
    await storeBatch(service, id, ofUsers(300, 700));
    expect(await listAll(id)).toMatchObject([{ users: 1_000 }]);
    await storeBatch(service, id, ofUsers(5_000, 3_000));
    expect(await listAll(id)).toMatchObject([{ users: 1_001, count: 4_600 }]);
    const { rows } = await pool.query('SELECT count(*) AS count FROM group_users WHERE project_id = $1', [
      uuidOf(id),
    ]);
    expect(rows[0].count).toBeLessThanOrEqual(2_001);
  });

  it('continues the group of a former fingerprint, and counts a former fingerprint in a new group', async () => {
    const { id } = await user.createProject();
    await storeBatch(service, id, [aQueuedEvent(id, { fingerprint: hex(1) })]);
    const [old] = (await user.api.get(`/groups?project_id=${id}`)).body;
    await user.api.patch(`/groups/${old.id}`, { state: 'muted' });
    const versions = { fingerprintVersion: 2, formerFingerprint: hex(1) };
    await storeBatch(service, id, [{ ...aQueuedEvent(id, { fingerprint: hex(2) }), ...versions }]);
    expect(await listAll(id)).toMatchObject([{ count: 2 }]);
    const [muted] = (await user.api.get(`/groups?project_id=${id}`)).body;
    expect(muted).toMatchObject({ id: old.id, state: 'muted' });
    const { rows: events } = await pool.query(
      `SELECT fingerprint_version AS version FROM events JOIN group_fingerprints USING (project_id, fingerprint)
        WHERE group_id = $1 ORDER BY 1`,
      [toUuid('grp', old.id)],
    );
    expect(events.map(({ version }) => version)).toEqual([1, 2]);
    // Two kinds that the former algorithm could not tell apart, without a group of it.
    await storeBatch(service, id, [
      { ...aQueuedEvent(id, { fingerprint: hex(4) }), ...versions, formerFingerprint: hex(3) },
      { ...aQueuedEvent(id, { fingerprint: hex(5) }), ...versions, formerFingerprint: hex(3) },
    ]);
    await storeBatch(service, id, [aQueuedEvent(id, { fingerprint: hex(3) })]);
    expect(await listAll(id)).toMatchObject([{ count: 2 }, { count: 2 }, { count: 1 }]);
  });

  it('keeps hostile texts, and stores events with invalid frames', async () => {
    const { id } = await user.createProject();
    const texts = ["'); DROP TABLE groups; --", '%_\\', '\u202e', '"{}', '{1,2}', 'x'.repeat(32_000), '   '];
    const frames = [
      [],
      [null],
      [1],
      ['a'],
      {},
      'x',
      [{ function: {}, file: [] }],
      [{ inApplication: true, file: 'a'.repeat(5_000) }],
    ];
    const images = [null, 7, { code_file: [] }, { code_file: 'a'.repeat(5_000) }];
    const events = [
      ...texts.map((text, index) =>
        aQueuedEvent(id, {
          fingerprint: hex(index),
          message: text,
          source: text.slice(0, 256),
          release: text.slice(0, 128),
          correlation: { user_id: text.slice(0, 256) },
        }),
      ),
      ...frames.map((value, index) =>
        aQueuedEvent(id, {
          fingerprint: hex(100 + index),
          payload: { frames: value, debug_meta: { images } },
        }),
      ),
    ];
    await storeBatch(service, id, events);
    const { body } = await user.api.get(`/groups?project_id=${id}&limit=100`);
    expect(body).toHaveLength(texts.length + frames.length);
    expect(body.map(({ title }: { title: string }) => title)).toContain(texts[0]);
    for (const group of body) expect(Array.from(group.culprit ?? '').length).toBeLessThanOrEqual(300);
    for (const text of texts) {
      const query = new URLSearchParams({ project_id: id, source: text.slice(0, 256), q: text.slice(0, 40) });
      expect((await user.api.get(`/groups?${query.toString()}`)).body.length).toBeGreaterThan(0);
    }
  });

  it('adds minutes to hours after two days without changing a count, and removes what is too old', async () => {
    const { id } = await user.createProject();
    const oldMs = service.context.clock.now() - 60 * HOUR_MS;
    const events = Array.from({ length: 30 }, (_, index) => {
      const receivedMs = oldMs + index * 10 * 60_000;
      return aQueuedEvent(id, { id: newUuid(receivedMs), receivedAt: new Date(receivedMs).toISOString() });
    });
    await storeBatch(service, id, events);
    const [group] = (await user.api.get(`/groups?project_id=${id}`)).body;
    const read = async () => {
      const { hours, days, ...rest } = (await user.api.get(`/groups/${group.id}`)).body;
      // The last hours and days are others once one of them ends.
      const sum = (counts: { count: number }[]) => counts.reduce((all, { count }) => all + count, 0);
      return { ...rest, ofHours: sum(hours), ofDays: sum(days) };
    };
    const before = await read();
    expect(before).toMatchObject({ ofHours: 0, ofDays: 30 });
    const from = new Date(oldMs - 2 * HOUR_MS).toISOString();
    const top = async () =>
      (await user.api.get(`/events/top?by=fingerprint&project_id=${id}&from=${from}`)).body;
    const counted = await top();
    expect(counted).toMatchObject([{ count: 30 }]);
    await service.maintain();
    const { rows } = await pool.query(
      `SELECT (SELECT count(*) FROM group_minutes WHERE project_id = $1) AS minutes,
          (SELECT sum(info)::int FROM group_hours WHERE project_id = $1) AS counted`,
      [uuidOf(id)],
    );
    expect(rows).toEqual([{ minutes: 0, counted: 30 }]);
    expect(await read()).toEqual(before);
    expect(await top()).toMatchObject([{ count: 30 }]);
    await storeBatch(service, id, [
      aQueuedEvent(id, { id: newUuid(oldMs), receivedAt: new Date(oldMs).toISOString() }),
    ]);
    expect(await top()).toMatchObject([{ count: 31 }]);
  });

  it('creates a new group for a fingerprint whose known group retention has deleted', async () => {
    const { id } = await user.createProject();
    const store = async () => {
      // Several rounds: either worker may take one.
      for (let round = 0; round < 4; round++) {
        await storeBatch(service, id, [aQueuedEvent(id, { fingerprint: hex(1) })]);
      }
      return listAll(id);
    };
    expect(await store()).toMatchObject([{ number: 1, count: 4 }]);
    await deleteGroupsLastSeenBefore(pool, new Date(service.context.clock.now() + HOUR_MS), 10_000);
    expect(await listAll(id)).toEqual([]);
    expect(await store()).toMatchObject([{ number: 2, count: 4 }]);
  });
});
