import { expect, it } from 'vitest';
import { ExpensiveReads } from '../../src/database/expensive-reads.ts';
import { ArchiveError } from '../../src/events/archive/archive-error.ts';
import type { EventArchive } from '../../src/events/archive/event-archive.ts';
import { NO_CONDITIONS } from '../../src/events/archive/no-conditions.ts';
import { createSpanReader } from '../../src/events/archive/span-reader.ts';
import { toListedEvent } from '../../src/events/event-row.ts';
import type { EventPage } from '../../src/events/read-types.ts';
import { WEEK_MS } from '../../src/platform/durations.ts';
import { uuidLowerBound, uuidTime } from '../../src/platform/ids.ts';
import { moveWeek } from './read-pages.ts';
import { CLOCK, MONDAY_MS, startSpan, WEEKS } from './span-service.ts';

const { signal } = new AbortController();
const FIRST = { cursor: null, limit: 20, omitPayload: true };
const SENTENCE = 'Events before 2026-03-16 come from the archive, which does not answer.';

it('answers 503 only for pages without an event while the archive does not answer', async () => {
  const { pool, engine, archive, tenant, newest, events } = await startSpan();
  const { organizationId } = tenant;
  const every = { ...FIRST, limit: 400 };
  const expected = await newest.list(organizationId, NO_CONDITIONS, every, signal);
  await moveWeek(pool, archive, MONDAY_MS);
  await moveWeek(pool, archive, MONDAY_MS + WEEK_MS);
  await engine.kill();
  const page = await events.list(organizationId, NO_CONDITIONS, FIRST, signal);
  expect(answerOf(page)).toEqual(answerOf(expected).slice(0, FIRST.limit));
  const recent = { ...NO_CONDITIONS, afterMs: MONDAY_MS + 2 * WEEK_MS };
  expect((await events.list(organizationId, recent, every, signal)).scan).toBeNull();
  const refused = { code: 'unavailable', message: SENTENCE };
  const edgeMs = recent.afterMs;
  const part = await events.list(organizationId, NO_CONDITIONS, every, signal);
  expect(part.rows.map(({ id }) => id)).toEqual(
    expected.rows.map(({ id }) => id).filter((id) => uuidTime(id) >= edgeMs),
  );
  expect([part.next, part.scan?.fromMs]).toEqual([uuidLowerBound(edgeMs), edgeMs + 1]);
  for (const page of [
    { ...every, cursor: part.next },
    { ...every, order: 'asc' as const },
  ])
    await expect(events.list(organizationId, NO_CONDITIONS, page, signal)).rejects.toMatchObject(refused);
  const [, group] = tenant.groups;
  if (!group) throw new Error('The tenant has no group.');
  const begun = { ...group, firstSeen: new Date(edgeMs) };
  expect((await events.listOfGroup(organizationId, group, every, signal)).next).toBe(part.next);
  expect((await events.listOfGroup(organizationId, begun, every, signal)).next).toBeNull();
  const oldest = expected.rows.at(-1)?.id ?? '';
  await expect(events.find(organizationId, oldest)).rejects.toMatchObject(refused);
  await engine.restart();
  const reads = new ExpensiveReads(pool, pool);
  // A process that has not seen the failure.
  const later = createSpanReader({ pool, reads, archive, clock: CLOCK }, newest);
  expect(answerOf(await later.list(organizationId, NO_CONDITIONS, every, signal))).toEqual(
    answerOf(expected),
  );
});

it('says that an archive does not answer which hangs, and refuses the next reads at once', async () => {
  const { pool, engine, archive, tenant, events } = await startSpan();
  await moveWeek(pool, archive, MONDAY_MS);
  await moveWeek(pool, archive, MONDAY_MS + WEEK_MS);
  const old = { ...FIRST, cursor: uuidLowerBound(MONDAY_MS + WEEK_MS) };
  const read = () => events.list(tenant.organizationId, NO_CONDITIONS, old, signal);
  const refused = { code: 'unavailable', message: SENTENCE };
  await engine.tell({ HANG: 1 });
  await expect(read()).rejects.toMatchObject(refused);
  await engine.tell({ HANG: 0 });
  await expect(read()).rejects.toMatchObject(refused);
});

it('says how far a page looked where the archive becomes too slow', async () => {
  const { pool, archive, tenant, newest } = await startSpan();
  const { organizationId } = tenant;
  const conditions = { ...NO_CONDITIONS, words: ['quoted'] };
  const every = { ...FIRST, limit: 400 };
  const expected = await newest.list(organizationId, conditions, every, signal);
  for (let week = 0; week < WEEKS; week++) await moveWeek(pool, archive, MONDAY_MS + week * WEEK_MS);

  let statements = 0;
  let slowFrom = 3;
  const slow: EventArchive = {
    ...archive,
    query: (...asked) => {
      // The first one is the time of the oldest event, the second one the newest week.
      if (++statements >= slowFrom) throw new ArchiveError('It takes too long.', { isSlow: true });
      return archive.query(...asked);
    },
  };
  const reads = new ExpensiveReads(pool, pool);
  const events = createSpanReader({ pool, reads, archive: slow, clock: CLOCK }, newest);
  const edgeMs = MONDAY_MS + (WEEKS - 1) * WEEK_MS;
  const first = await events.list(organizationId, conditions, every, signal);
  expect(first.scan?.fromMs).toBe(edgeMs + 1);
  slowFrom = Number.POSITIVE_INFINITY;
  const second = await events.list(organizationId, conditions, { ...every, cursor: first.next }, signal);
  expect([...answerOf(first), ...answerOf(second)]).toEqual(answerOf(expected));
  expect(second.next).toBeNull();

  // The time of the oldest event is known by now.
  [statements, slowFrom] = [0, 1];
  const asked = { ...conditions, afterMs: MONDAY_MS - 1, beforeMs: MONDAY_MS + WEEKS * WEEK_MS };
  const { counts, scan } = await events.histogram(organizationId, asked, WEEK_MS, signal);
  expect(counts).toEqual([]);
  expect(scan?.fromMs).toBe(asked.beforeMs);
  [statements, slowFrom] = [0, 1];
  const deep = { ...every, cursor: first.next };
  await expect(events.list(organizationId, conditions, deep, signal)).rejects.toMatchObject({
    code: 'unavailable',
    message:
      'Events before 2026-03-30 come from the archive, where this takes too long. Choose a shorter time range, or add a filter.',
  });
});

function answerOf({ rows }: EventPage) {
  return rows.map(toListedEvent);
}
