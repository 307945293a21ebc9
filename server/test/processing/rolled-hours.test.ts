import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Queryable } from '../../src/database/database.ts';
import { NO_CONDITIONS } from '../../src/events/archive/no-conditions.ts';
import { deleteCountsBefore, deleteGroupHourCopies } from '../../src/events/counts/hour-queries.ts';
import { removeHours, rollHours } from '../../src/events/counts/roll-hours.ts';
import { countByBucket } from '../../src/events/read/histogram-queries.ts';
import type { BoundedConditions, TopQuery } from '../../src/events/read-types.ts';
import { listTopValues } from '../../src/events/top/top-queries.ts';
import { addMinutesToHours } from '../../src/groups/retention-queries.ts';
import { newUuid } from '../../src/platform/ids.ts';
import { deleteProjectData } from '../../src/tenancy/projects/queries.ts';
import { createTestDatabase } from '../support/database.ts';
import { beginHeldTransaction } from '../support/held-transaction.ts';
import { markLateHours } from '../support/late-hours.ts';
import { rounds } from '../support/test-length.ts';

const { pool } = await createTestDatabase();

const [MINUTE_MS, HOUR_MS] = [60_000, 3_600_000];
/** The copies go by the clock of the database. */
const nowMs = (await pool.query<{ now: Date }>('SELECT now() AS now')).rows[0]?.now.getTime() ?? 0;
const thisHourMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS;
const organizationId = newUuid(nowMs);
const [shop, office] = [newUuid(nowMs), newUuid(nowMs)];
const GROUPS = 30;
const groupIds = new Map<string, string>();

beforeEach(async () => {
  await pool.query(
    'TRUNCATE organizations, projects, groups, group_fingerprints, group_minutes, group_hours, group_recent_hours, event_counts, event_hours, fingerprint_hours, stale_hours CASCADE',
  );
  await pool.query('UPDATE rolled_hours SET until = NULL, groups_since = NULL');
  await pool.query(
    `INSERT INTO organizations (id, name, plan, created_at) VALUES ($1, 'Shop', 'free', now())`,
    [organizationId],
  );
  await pool.query(
    `INSERT INTO projects (id, organization_id, name, environment, group_prefix, created_at)
      SELECT id, $2, 'p', 'production', id::text, now() FROM unnest($1::uuid[]) AS id`,
    [[shop, office], organizationId],
  );
  await insertGroups(0, GROUPS);
});

async function insertGroups(from: number, to: number): Promise<void> {
  const groups = [shop, office].flatMap((projectId) =>
    Array.from({ length: to - from }, (_, index) => ({ id: newUuid(nowMs), projectId, n: from + index })),
  );
  for (const { id, projectId, n } of groups) groupIds.set(`${projectId} ${n}`, id);
  await pool.query(
    `WITH given AS (SELECT * FROM jsonb_to_recordset($2) AS given (id uuid, "projectId" uuid, n int)),
      grouped AS (
        INSERT INTO groups (id, organization_id, project_id, number, fingerprint, title, type, severity, count, first_seen, last_seen)
          SELECT id, $1, "projectId", n + 1, 'print-' || n, 'It failed', 'checkout', 'error', 1, now(), now() FROM given)
      INSERT INTO group_fingerprints (project_id, fingerprint, group_id) SELECT "projectId", 'print-' || n, id FROM given`,
    [organizationId, JSON.stringify(groups)],
  );
}

interface CountedEvent {
  projectId: string;
  minutesAgo: number;
  group: number;
  isError: boolean;
  count: number;
}

/** As the transaction that stores events does. */
async function count(database: Queryable, events: readonly CountedEvent[]): Promise<void> {
  const rows = events.map(({ projectId, minutesAgo, group, isError, count: more }) => ({
    projectId,
    groupId: groupIds.get(`${projectId} ${group}`),
    minute: new Date(Math.floor(nowMs / MINUTE_MS) * MINUTE_MS - minutesAgo * MINUTE_MS),
    severity: isError ? 'error' : 'info',
    type: `type-${group % 5}`,
    source: group % 3 === 0 ? null : `source-${group % 3}`,
    environment: group % 4 === 0 ? 2 : 1,
    info: isError ? 0 : more,
    error: isError ? more : 0,
  }));
  const counted = `jsonb_to_recordset($1) AS counted ("projectId" uuid, "groupId" uuid, minute timestamptz,
    severity severity, type text, source text, environment smallint, info bigint, error bigint)`;
  await database.query(
    `INSERT INTO event_counts AS c (organization_id, project_id, minute, severity, type, source, environment, count)
      SELECT $2, "projectId", minute, severity, type, source, environment, sum(info + error) FROM ${counted}
      GROUP BY 2, 3, 4, 5, 6, 7
      ON CONFLICT (organization_id, project_id, minute, severity, type, source, environment) DO UPDATE SET count = c.count + excluded.count`,
    [JSON.stringify(rows), organizationId],
  );
  await database.query(
    `INSERT INTO group_minutes AS m (group_id, project_id, minute, info, warn, error, critical)
      SELECT "groupId", "projectId", minute, sum(info), 0, sum(error), 0 FROM ${counted} GROUP BY 1, 2, 3
      ON CONFLICT (group_id, minute) DO UPDATE SET info = m.info + excluded.info, error = m.error + excluded.error`,
    [JSON.stringify(rows)],
  );
  await markLateHours(
    database,
    organizationId,
    rows.map(({ projectId, minute }) => ({ projectId, minuteMs: minute.getTime() })),
  );
}

/** Rare groups count a few events, the others up to a million. */
const counted = (oldestHours: number) =>
  fc.record({
    projectId: fc.constantFrom(shop, office),
    minutesAgo: fc.integer({ min: 0, max: oldestHours * 60 }),
    group: fc.integer({ min: 0, max: GROUPS - 1 }),
    isError: fc.boolean(),
    count: fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 1_000_000 })),
  });
const sample = (seed: number, events: number, oldestHours = 90) =>
  fc.sample(counted(oldestHours), { numRuns: events, seed });

/** All that is read from copies, over ranges whose ends lie within minutes, quarters and hours. */
async function answers(
  database: Queryable,
  filters: Partial<BoundedConditions>[] = [{}, { projectId: shop, severity: 'error' }],
): Promise<unknown[]> {
  const listed: unknown[] = [];
  for (const [fromHours, toHours] of [
    [100, -1],
    [47.3, 0.2],
    [24, 0],
    [13.001, 2.7],
  ] as const)
    for (const filter of filters) {
      const conditions = {
        ...NO_CONDITIONS,
        ...filter,
        afterMs: nowMs - fromHours * HOUR_MS - 1,
        beforeMs: nowMs - toHours * HOUR_MS,
      };
      for (const intervalMs of [15 * MINUTE_MS, 3 * HOUR_MS]) {
        const { counts } = await countByBucket(database, organizationId, conditions, intervalMs);
        listed.push(
          counts
            .map(({ bucketStartMs, severity, count: of }) => [bucketStartMs, severity, of].join(' '))
            .toSorted(),
        );
      }
      for (const by of ['type', 'source', 'fingerprint'] as const)
        listed.push(await top(database, conditions, { by, limit: 4, parts: 24, nowMs }));
    }
  return listed;
}

async function top(database: Queryable, conditions: BoundedConditions, query: TopQuery): Promise<unknown> {
  const { values, scan, range } = await listTopValues(database, organizationId, conditions, query);
  const kinds = values.map(({ value, severity, shares }) => [
    value,
    severity,
    Math.round(shares.reduce((sum, share) => sum + share, 0)),
  ]);
  return { kinds, scan, range };
}

/** The same without any copy. */
async function truth(filters?: Partial<BoundedConditions>[]): Promise<unknown[]> {
  return withoutCopies((database) => answers(database, filters));
}

async function withoutCopies<T>(read: (database: Queryable) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('UPDATE rolled_hours SET until = NULL, groups_since = NULL');
    return await read(client);
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}

async function rowsOf(table: string): Promise<number> {
  return (await pool.query<{ count: number }>(`SELECT count(*) AS count FROM ${table}`)).rows[0]?.count ?? 0;
}

/** As the purge of a deleted project does. */
async function deleteMinutesOf(id: string): Promise<void> {
  for (const table of ['event_counts', 'stale_hours', 'group_minutes'] as const)
    await deleteProjectData(pool, { id, organizationId }, table, 10_000);
}

async function removeAllHoursOf(id: string): Promise<void> {
  while ((await removeHours(pool, { id, organizationId })) > 0);
  for (const table of ['event_hours', 'group_recent_hours'])
    expect(await rowsOf(`${table} WHERE project_id = '${id}'`)).toBe(0);
}

describe('counts by the hour', () => {
  it.each([1, 2, 3].slice(0, rounds(1, 3)))(
    'answers from copies what minutes tell, also after late events, with seed %i',
    async (seed) => {
      await count(pool, sample(seed, 300));
      expect(await rollHours(pool, 1_000)).toBe(false);
      expect(await rowsOf('event_hours')).toBeGreaterThan(0);
      expect(await rowsOf('group_recent_hours')).toBeGreaterThan(0);
      expect(await answers(pool)).toEqual(await truth());

      await count(pool, sample(seed + 100, 60));
      expect(await rowsOf('stale_hours')).toBeGreaterThan(0);
      expect(await answers(pool)).toEqual(await truth());

      await rollHours(pool, 1_000);
      expect(await rowsOf('stale_hours')).toBe(0);
      expect(await answers(pool)).toEqual(await truth());
    },
  );

  it('answers the same while hours are copied, and after old minutes were moved', async () => {
    await count(pool, sample(4, 200));
    while (await rollHours(pool, rounds(100, 40))) expect(await answers(pool)).toEqual(await truth());
    await addMinutesToHours(pool, new Date(thisHourMs - 48 * HOUR_MS), 10_000);
    await deleteGroupHourCopies(pool, 10_000);
    await count(pool, sample(5, 50));
    expect(await answers(pool)).toEqual(await truth());
    await rollHours(pool, 1_000);
    expect(await answers(pool)).toEqual(await truth());
  });

  it('counts merged groups with the group that has their events', async () => {
    await count(pool, sample(6, 300));
    await rollHours(pool, 1_000);
    for (let n = 0; n < 10; n++)
      await pool.query('UPDATE groups SET merged_into = $1 WHERE id = $2', [
        groupIds.get(`${shop} ${20 + (n % 2)}`),
        groupIds.get(`${shop} ${n}`),
      ]);
    expect(await answers(pool)).toEqual(await truth());
  });

  it('leaves no mark for an hour that is not copied yet', async () => {
    await count(pool, sample(7, 50));
    expect(await rowsOf('stale_hours')).toBe(0);
  });

  it('copies an hour only after a transaction that still counts in it', async () => {
    await count(pool, sample(8, 100));
    const client = await beginHeldTransaction(pool);
    await count(client, sample(9, 20));
    const rolled = rollHours(pool, 1_000);
    await waiting();
    await client.query('COMMIT');
    client.release();
    await rolled;
    expect(await answers(pool)).toEqual(await truth());
  });

  it('keeps the mark of an hour in which a transaction still counts', async () => {
    await count(pool, sample(10, 100));
    await rollHours(pool, 1_000);
    await count(pool, sample(11, 5, 60));
    const transaction = await beginHeldTransaction(pool);
    await count(transaction, sample(11, 5, 60));
    await rollHours(pool, 1_000);
    await transaction.query('COMMIT');
    transaction.release();
    expect(await rowsOf('stale_hours')).toBeGreaterThan(0);
    expect(await answers(pool)).toEqual(await truth());
  });

  it('takes back the hours that the clock of the database has again', async () => {
    await count(pool, sample(12, 100));
    await rollHours(pool, 1_000);
    await pool.query(`UPDATE rolled_hours SET until = until + interval '5 hours'`);
    await rollHours(pool, 1_000);
    const { rows } = await pool.query('SELECT until <= now() AS "isOver" FROM rolled_hours');
    expect(rows).toEqual([{ isOver: true }]);
    expect(await answers(pool)).toEqual(await truth());
  });
});

const QUARTERS = `sum(quarter_1)::bigint AS a, sum(quarter_2)::bigint AS b, sum(quarter_3)::bigint AS c,
  sum(quarter_4)::bigint AS d`;
const SUMMED = {
  organization: 'organization_id, hour, severity',
  organization_series: 'organization_id, hour, severity, type, source',
  project: 'organization_id, project_id, hour, severity',
};

/** Rows that the sums of organizations or projects have and copies have not, or the other way round. */
async function differences(): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const [scope, columns] of Object.entries(SUMMED)) {
    const of = (one: string) =>
      `(SELECT ${columns}, ${QUARTERS} FROM event_hours WHERE scope = '${one}' GROUP BY ${columns})`;
    const [sums, copies] = [of(scope), of('project_series')];
    const { rows } = await pool.query(
      `(${sums} EXCEPT ALL ${copies}) UNION ALL (${copies} EXCEPT ALL ${sums})`,
    );
    found.push(...rows);
  }
  return found;
}

describe('the sums of organizations and projects', () => {
  const filters = [
    { type: 'type-1' },
    { source: 'source-2', severity: 'error' as const },
    { environment: 'production' },
    { environment: 'staging' },
    { projectId: office },
    { projectId: shop, type: 'type-1' },
    { not: { ...NO_CONDITIONS.not, projectIds: [office] } },
  ];

  it('adds up the hours of projects, whatever is copied, comes late and is removed', async () => {
    await count(pool, sample(20, 200));
    await rollHours(pool, 40);
    for (const scope of Object.keys(SUMMED))
      expect(await rowsOf(`event_hours WHERE scope = '${scope}'`)).toBeGreaterThan(0);
    expect(await differences()).toEqual([]);
    await rollHours(pool, 1_000);
    expect(await answers(pool, filters)).toEqual(await truth(filters));
    await count(pool, sample(21, 40));
    expect(await answers(pool, filters)).toEqual(await truth(filters));
    await Promise.all([rollHours(pool, 1_000), rollHours(pool, 1_000)]);
    expect(await differences()).toEqual([]);
    await deleteCountsBefore(pool, 'event_hours', new Date(thisHourMs - 40 * HOUR_MS), 30);
    expect(await differences()).toEqual([]);
    await deleteMinutesOf(shop);
    expect(await removeHours(pool, { id: shop, organizationId })).toBeGreaterThan(0);
    expect(await differences()).toEqual([]);
    await removeAllHoursOf(shop);
    expect(await differences()).toEqual([]);
    expect(await rowsOf('event_hours')).toBeGreaterThan(0);
  });

  it('reads the hours of each project while the sums of the organization hold the counts of a deleted one', async () => {
    await count(pool, sample(22, 200));
    await rollHours(pool, 1_000);
    await pool.query('UPDATE projects SET deleted_at = now() WHERE id = $1', [shop]);
    const rest = [{}, ...filters];
    expect(await answers(pool, rest)).toEqual(await truth(rest));
  });
});

describe('the largest kinds of hours', () => {
  const KINDS = 160;
  const filters = [{}, { severity: 'error' as const }];

  beforeEach(() => insertGroups(GROUPS, KINDS));

  /** Counts more kinds in an hour than its list has. The n-th counts 1 / n of the first, or all count about the same. */
  const manyKinds = (seed: number, isSkewed: boolean): CountedEvent[] =>
    [2, 5, 26].flatMap((hoursAgo) =>
      Array.from({ length: KINDS }, (_, group) => ({
        projectId: (group + seed) % 3 === 0 ? office : shop,
        minutesAgo: hoursAgo * 60 + (group % 7),
        group,
        isError: group % 2 === 0,
        count: isSkewed
          ? 1 + Math.floor(100_000 / (1 + ((group * seed) % KINDS)))
          : 50 + ((group * seed) % 7),
      })),
    );

  async function tops(database: Queryable): Promise<unknown[]> {
    const listed: unknown[] = [];
    for (const fromHours of [100, 27, 4])
      for (const filter of filters)
        listed.push(
          await top(
            database,
            { ...NO_CONDITIONS, ...filter, afterMs: nowMs - fromHours * HOUR_MS - 1, beforeMs: nowMs },
            { by: 'fingerprint', limit: 4, parts: 24, nowMs },
          ),
        );
    return listed;
  }

  const truthOfTops = () => withoutCopies(tops);

  const lists: [seed: number, isSkewed: boolean][] = [
    [7, true],
    [13, false],
    [11, true],
  ];

  it.each(lists.slice(0, rounds(2, 3)))(
    'finds the most frequent kinds of all projects where lists of hours leave kinds out, with seed %i',
    async (seed, isSkewed) => {
      await count(pool, manyKinds(seed, isSkewed));
      await rollHours(pool, 1_000);
      const { rows } = await pool.query(
        'SELECT max(others_at_most) > 0 AS "leavesOut" FROM fingerprint_hours',
      );
      expect(rows).toEqual([{ leavesOut: true }]);
      expect(await tops(pool)).toEqual(await truthOfTops());

      await count(pool, sample(seed, 60, 30));
      expect(await rowsOf('stale_hours')).toBeGreaterThan(0);
      expect(await tops(pool)).toEqual(await truthOfTops());
      await rollHours(pool, 1_000);
      expect(await tops(pool)).toEqual(await truthOfTops());
    },
  );

  it('lists for each hour and severity what no other kind exceeds', async () => {
    await count(pool, manyKinds(7, true));
    await rollHours(pool, 1_000);
    const { rows } = await pool.query<{ severity: string | null; atMost: number; real: number }>(
      `SELECT l.severity, l.others_at_most AS "atMost", (
          SELECT coalesce(max(count), 0)::bigint FROM (
            SELECT sum(CASE WHEN l.severity = 'error' THEN error WHEN l.severity = 'info' THEN info ELSE info + error END) AS count
            FROM group_minutes AS m JOIN groups AS g ON g.id = m.group_id
            WHERE date_trunc('hour', m.minute, 'UTC') = l.hour AND g.fingerprint <> ALL (l.fingerprints) GROUP BY g.fingerprint
          ) AS others
        ) AS real FROM fingerprint_hours AS l`,
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const { atMost, real } of rows) expect(atMost).toBe(real);
  });

  it('lists no kinds of a deleted project once its copies are removed', async () => {
    await count(pool, manyKinds(7, true));
    await rollHours(pool, 1_000);
    await pool.query('UPDATE projects SET deleted_at = now() WHERE id = $1', [shop]);
    expect(await tops(pool)).toEqual(await truthOfTops());
    await deleteMinutesOf(shop);
    await removeAllHoursOf(shop);
    expect(await tops(pool)).toEqual(await truthOfTops());
    const { rows } = await pool.query(
      `SELECT DISTINCT print FROM fingerprint_hours CROSS JOIN LATERAL unnest(fingerprints) AS print
        WHERE NOT EXISTS (SELECT FROM groups AS g JOIN group_minutes AS m ON m.group_id = g.id
          WHERE g.project_id = $1 AND g.fingerprint = print)`,
      [office],
    );
    expect(rows).toEqual([]);
  });

  it('removes the lists of kinds of hours that are too old', async () => {
    await count(pool, manyKinds(7, true));
    await rollHours(pool, 1_000);
    await deleteCountsBefore(pool, 'fingerprint_hours', new Date(thisHourMs + HOUR_MS), 10_000);
    expect(await rowsOf('fingerprint_hours')).toBe(0);
  });
});

/** Until a statement waits for a lock. */
async function waiting(): Promise<void> {
  for (;;) {
    const { rows } = await pool.query('SELECT 1 FROM pg_locks WHERE NOT granted LIMIT 1');
    if (rows.length > 0) return;
  }
}

afterEach(() => groupIds.clear());
