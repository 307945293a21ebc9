import type { Pool } from '../../src/database/database.ts';
import { ArchiveConditions } from '../../src/events/archive/archive-where.ts';
import { listArchivedRows } from '../../src/events/archive/archived-row-queries.ts';
import type { EventArchive } from '../../src/events/archive/event-archive.ts';
import { overRows } from '../../src/events/archive/over-rows.ts';
import type { EventConditions, EventPage, PageRequest } from '../../src/events/read-types.ts';
import type { EventReader } from '../../src/events/reader.ts';
import { endOfWeek } from '../../src/events/weeks.ts';
import { uuidLowerBound } from '../../src/platform/ids.ts';
import { copyWeek, findHeld } from './move-block.ts';
import { listsOf } from './span-lists.ts';
import type { SpanTenant } from './span-tenant.ts';

/** Events of a page: more than those of a moment, and not many of a week. */
const LIMIT = 17;

/** Lists that are read with the payloads as well, beside those that PostgreSQL compares payloads for. */
const WITH_PAYLOAD = new Set(['all', 'number in the payload', 'merged group', 'word']);
const ONE_IN_FOUR = 'cityHash64(id) % 4 = 0';
const IN_BOTH_ORDERS = new Set(['all', 'type', 'word', 'range']);

/** All pages of every list, by its name: as they are answered, with the cursor of each. */
export async function readEveryList(events: EventReader, tenant: SpanTenant): Promise<Map<string, string>> {
  const { organizationId, groups } = tenant;
  const { signal } = new AbortController();
  const answers = new Map<string, string>();
  const read = (name: string, conditions: EventConditions, page: Omit<PageRequest, 'cursor' | 'limit'>) =>
    walk({ limit: LIMIT, ...page }, (asked) => events.list(organizationId, conditions, asked, signal)).then(
      (pages) => answers.set(`${name} ${JSON.stringify(page)}`, pages),
    );
  for (const [name, conditions] of listsOf(tenant)) {
    await read(name, conditions, { omitPayload: !WITH_PAYLOAD.has(name) });
    if (IN_BOTH_ORDERS.has(name)) await read(name, conditions, { omitPayload: true, order: 'asc' });
  }
  for (const order of ['asc', 'desc'] as const)
    for (const group of groups)
      answers.set(
        `group ${group.number} ${order}`,
        await walk({ limit: LIMIT, omitPayload: false, order }, (page) =>
          events.listOfGroup(organizationId, group, page, signal),
        ),
      );
  return answers;
}

/** Follows the pages to the last one. */
async function walk(
  page: Omit<PageRequest, 'cursor'>,
  read: (page: PageRequest) => Promise<EventPage>,
): Promise<string> {
  const pages: EventPage[] = [];
  for (let cursor: string | null = null; ; ) {
    const next: EventPage = await read({ ...page, cursor });
    pages.push(next);
    if (next.next === null) return JSON.stringify(pages, null, 1);
    cursor = next.next;
  }
}

/** Moves a week to the archive: its events are in PostgreSQL no more. */
export async function moveWeek(pool: Pool, archive: EventArchive, weekMs: number): Promise<void> {
  const block = { number: weekMs, weekMs };
  const held = await findHeld(pool, weekMs);
  await copyWeek(pool, archive, block);
  const stored = await archive.findBlock(block);
  if (JSON.stringify(stored) !== JSON.stringify(held))
    throw new Error(`The archive has ${JSON.stringify(stored)} of ${JSON.stringify(held)}.`);
  await pool.query(
    `WITH removed AS (DELETE FROM events WHERE id >= $1 AND id < $2)
      INSERT INTO archive_state (installation_id, archived_until) VALUES (gen_random_uuid(), $3)
      ON CONFLICT (is_only) DO UPDATE SET archived_until = excluded.archived_until, moves = archive_state.moves + 1`,
    [uuidLowerBound(weekMs), uuidLowerBound(endOfWeek(weekMs)), new Date(endOfWeek(weekMs))],
  );
}

/** Puts one in four events of the archive back into PostgreSQL, as late ones are that have not followed yet. */
export async function takeBack(pool: Pool, archive: EventArchive, organizationId: string): Promise<void> {
  await copyBack(pool, archive, organizationId);
  await archive.deleteEvents(ONE_IN_FOUR, {});
}

/** The same while both have them, as of late ones that follow. */
export async function copyBack(pool: Pool, archive: EventArchive, organizationId: string): Promise<void> {
  const conditions = new ArchiveConditions()
    .add('organization_id = {?:UUID}', organizationId)
    .add(ONE_IN_FOUR);
  const { rows } = await listArchivedRows(
    archive,
    { conditions, order: 'asc', cursor: null, limit: 10_000, omitPayload: false, maxBytes: 2 ** 26 },
    { maxRunMs: 30_000 },
  );
  await overRows(pool, { ids: [], archived: rows }).query('INSERT INTO events SELECT * FROM events');
}
