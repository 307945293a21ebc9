import { expect, it } from 'vitest';
import { ExpensiveReads } from '../../src/database/expensive-reads.ts';
import { updateArchivedUntil } from '../../src/events/archive/block-queries.ts';
import type {
  ArchiveParameters,
  ArchiveReadLimits,
  EventArchive,
} from '../../src/events/archive/event-archive.ts';
import { NO_CONDITIONS } from '../../src/events/archive/no-conditions.ts';
import { createSpanReader } from '../../src/events/archive/span-reader.ts';
import { NO_EXCLUSIONS } from '../../src/events/exclusions.ts';
import type { BoundedConditions } from '../../src/events/read-types.ts';
import type { EventReader } from '../../src/events/reader.ts';
import { DAY_MS, WEEK_MS } from '../../src/platform/durations.ts';
import { newUuid, uuidTime } from '../../src/platform/ids.ts';
import { copyBack, moveWeek } from './read-pages.ts';
import { CLOCK, MONDAY_MS, startSpan, WEEKS } from './span-service.ts';
import type { SpanTenant } from './span-tenant.ts';

const { signal } = new AbortController();
const BY = ['source', 'fingerprint'] as const;

type Range = [string, Pick<BoundedConditions, 'afterMs' | 'beforeMs'>];
/** Ranges with all weeks, and within a minute that the archive has. */
const RANGES: [Range, ...Range[]] = [
  ['all weeks', { afterMs: MONDAY_MS - 1, beforeMs: MONDAY_MS + WEEKS * WEEK_MS }],
  ['a part of a minute', { afterMs: MONDAY_MS + DAY_MS - 100, beforeMs: MONDAY_MS + DAY_MS + 1_000 }],
];

async function readCounts(events: EventReader, { organizationId, projectIds }: SpanTenant) {
  const [projectId = null] = projectIds;
  const filters: [string, Partial<BoundedConditions>][] = [
    ['word', { words: ['quoted'] }],
    ['release', { release: 'v1' }],
    ['values', { pairs: [{ key: 'user', value: 'u2' }] }],
    ['not a value', { projectId, not: { ...NO_EXCLUSIONS, pairs: [{ key: null, value: 'u1' }] } }],
    ['payload', { paths: [{ path: ['deep', 'list', '0'], value: '1' }] }],
    ['type', { type: 'type 2' }],
  ];
  const answers: Record<string, unknown> = {};
  for (const [name, filter] of filters)
    for (const [rangeName, range] of RANGES) {
      const conditions = { ...NO_CONDITIONS, ...filter, ...range };
      const key = `${name}, ${rangeName}`;
      const { counts, scan } = await events.histogram(organizationId, conditions, DAY_MS, signal);
      answers[`${key}: histogram`] = {
        scan,
        counts: countsOf(counts),
      };
      for (const by of BY)
        answers[`${key}: top ${by}`] = await events.top(
          organizationId,
          conditions,
          { by, limit: 4, parts: 6, nowMs: MONDAY_MS + WEEKS * WEEK_MS },
          signal,
        );
      answers[`${key}: keys`] = await events.correlationKeys(organizationId, conditions, 'u2', signal);
    }
  return answers;
}

/** Counts in an order of their own: the reads have none. */
function countsOf(counts: readonly object[]): string[] {
  return counts.map((count) => JSON.stringify(count)).toSorted();
}

/** The label of a late event may be older than one of the archive. */
function withoutLabels(answers: unknown): unknown {
  return JSON.parse(JSON.stringify(answers, (key, value: unknown) => (key === 'label' ? undefined : value)));
}

it('counts alike wherever the events are: histograms, frequent values and keys of a value', async () => {
  const { pool, archive, tenant, newest, events } = await startSpan();
  const expected = await readCounts(newest, tenant);
  expect(await readCounts(events, tenant)).toEqual(expected);
  for (let week = 0; week < WEEKS; week++) {
    await moveWeek(pool, archive, MONDAY_MS + week * WEEK_MS);
    expect(await readCounts(events, tenant)).toEqual(expected);
  }
});

it('counts an event once that both have, also where PostgreSQL drops it meanwhile', async () => {
  const { pool, archive, tenant, newest, events } = await startSpan();
  const expected = withoutLabels(await readCounts(newest, tenant));
  for (let week = 0; week < WEEKS; week++) await moveWeek(pool, archive, MONDAY_MS + week * WEEK_MS);
  await copyBack(pool, archive, tenant.organizationId);
  expect(withoutLabels(await readCounts(events, tenant))).toEqual(expected);

  let isDropped = false;
  const dropping: EventArchive = {
    ...archive,
    async query(...asked) {
      if (!isDropped) {
        await pool.query('DELETE FROM events');
        await updateArchivedUntil(pool, new Date(MONDAY_MS + WEEK_MS));
      }
      isDropped = true;
      return archive.query(...asked);
    },
  };
  const reads = new ExpensiveReads(pool, pool);
  const meanwhile = createSpanReader({ pool, reads, archive: dropping, clock: CLOCK }, newest);
  expect(withoutLabels(await readCounts(meanwhile, tenant))).toEqual(expected);
  expect(isDropped).toBe(true);
});

it('counts the newest events of a slice that has more than are counted', async () => {
  const { pool, archive, tenant, newest } = await startSpan();
  const { organizationId } = tenant;
  const [[, range]] = RANGES;
  const conditions = { ...NO_CONDITIONS, not: { ...NO_EXCLUSIONS, releases: ['other'] }, ...range };
  const read = (events: EventReader, afterMs: number) =>
    events.histogram(organizationId, { ...conditions, afterMs }, WEEKS * WEEK_MS, signal);
  const { rows } = await newest.list(
    organizationId,
    conditions,
    { cursor: null, limit: 20, omitPayload: true },
    signal,
  );
  const times = rows.map(({ id }) => uuidTime(id));
  // The last one is the second of its moment.
  const last = times.findIndex((ms, index) => index > 2 && ms === times[index - 1]);
  const lastMs = times[last] ?? 0;
  const whole = times.filter((ms) => ms > lastMs);
  expect(last).toBeGreaterThan(whole.length);
  expect(whole.length).toBeGreaterThan(0);
  const expected = await read(newest, lastMs);
  for (let week = 0; week < WEEKS; week++) await moveWeek(pool, archive, MONDAY_MS + week * WEEK_MS);

  const full: EventArchive = {
    ...archive,
    async query<Row>(sql: string, ...asked: [ArchiveParameters, ArchiveReadLimits]) {
      const found = await archive.query<Row>(sql, ...asked);
      // As if it exceeded the bytes that are read.
      return found
        .slice(0, last + 1)
        .map((row, index) => (index === last ? { ...row, bytes: 2 ** 40 } : row));
    },
  };
  const reads = new ExpensiveReads(pool, pool);
  const events = createSpanReader({ pool, reads, archive: full, clock: CLOCK }, newest);
  const { counts, scan } = await read(events, range.afterMs);
  expect(scan).toEqual({ fromMs: lastMs + 1, events: whole.length });
  expect(countsOf(counts)).toEqual(countsOf(expected.counts));
});

it('finds an event by its id in the archive, and none of another organization or of a deleted project', async () => {
  const { pool, archive, tenant, newest, events } = await startSpan();
  const { rows } = await pool.query<{ id: string; projectId: string }>(
    'SELECT id, project_id AS "projectId" FROM events ORDER BY events.id LIMIT 2',
  );
  const ids = rows.map(({ id }) => id);
  const expected = await Promise.all(ids.map((id) => newest.find(tenant.organizationId, id)));
  await moveWeek(pool, archive, MONDAY_MS);
  expect(await Promise.all(ids.map((id) => events.find(tenant.organizationId, id)))).toEqual(expected);
  const [id = ''] = ids;
  expect(await newest.find(tenant.organizationId, id)).toBeNull();
  expect(await events.find(newUuid(1), id)).toBeNull();
  await pool.query('UPDATE projects SET deleted_at = now() WHERE id = $1', [rows[0]?.projectId]);
  expect(await events.find(tenant.organizationId, id)).toBeNull();
});

it('counts an event once that moves while it is read, and lists none of a deleted project', async () => {
  const { pool, archive, tenant, newest, events } = await startSpan();
  const page = { cursor: null, limit: 400, omitPayload: true };
  const expected = await newest.list(tenant.organizationId, NO_CONDITIONS, page, signal);
  const moving = {
    ...newest,
    list: async (...asked: Parameters<EventReader['list']>) => {
      const first = await newest.list(...asked);
      await moveWeek(pool, archive, MONDAY_MS);
      return first;
    },
  };
  const reads = new ExpensiveReads(pool, pool);
  const meanwhile = createSpanReader({ pool, reads, archive, clock: CLOCK }, moving);
  const listed = await meanwhile.list(tenant.organizationId, NO_CONDITIONS, page, signal);
  expect(listed.rows.map(({ id }) => id)).toEqual(expected.rows.map(({ id }) => id));

  const [deleted] = tenant.projectIds;
  await pool.query('UPDATE projects SET deleted_at = now() WHERE id = $1', [deleted]);
  const { rows } = await events.list(tenant.organizationId, NO_CONDITIONS, page, signal);
  expect(rows.map(({ id }) => id)).toEqual(
    expected.rows.filter(({ projectId }) => projectId !== deleted).map(({ id }) => id),
  );
});
