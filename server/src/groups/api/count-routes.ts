import { Type } from 'typebox';
import type { Store } from '../../database/database.ts';
import type { ExpensiveReads } from '../../database/expensive-reads.ts';
import { invalidQuery } from '../../events/invalid-query.ts';
import type { GroupReleaseRow, ReleasePage } from '../../events/read-types.ts';
import type { EventReader } from '../../events/reader.ts';
import { sendScan, withScanHeaders } from '../../events/scan-headers.ts';
import { linkNextPage, pageSize } from '../../http/pages.ts';
import { routesOf } from '../../http/route.ts';
import { IdText } from '../../http/schemas.ts';
import { goneSignal } from '../../http/sockets/gone-signal.ts';
import { toId, toUuid } from '../../platform/ids.ts';
import { isoTime } from '../../platform/time.ts';
import { readReleaseCursor, toReleaseCursor } from '../../releases/cursor.ts';
import { sessionOf } from '../../tenancy/session.ts';
import { GroupCounts, GroupCountsQuery, GroupRelease, GroupReleasesQuery } from '../count-schema.ts';
import { MAX_COUNTED_GROUPS } from '../limits.ts';
import { requireHead } from '../require-group.ts';
import { countRecent } from './count-recent.ts';

/** Counts of groups' events by time and by release. */
const route = routesOf<
  Store & { reads: ExpensiveReads; events: Pick<EventReader, 'on'>; publicUrl: URL | null }
>('Groups');

export const groupCountRoutes = [
  route.get('/groups/counts', {
    summary: 'Count the events of groups over time',
    description:
      'Exact counts of the last 60 minutes, 24 hours or 30 days (UTC), the running one included, with those of merged groups.',
    querystring: GroupCountsQuery,
    answer: GroupCounts,
    handle: async (request, { pool, clock }) => {
      const { organizationId } = sessionOf(request);
      const ids = readIds(request.query.ids);
      const { unit } = request.query;
      const counted = await countRecent(pool, organizationId, ids, { unit, nowMs: clock.now() });
      return {
        start: isoTime(counted.startMs),
        intervalSeconds: counted.widthMs / 1_000,
        groups: ids.map((id) => ({ id: toId('grp', id), counts: counted.counts.get(id) ?? [] })),
      };
    },
  }),

  route.get('/groups/:id/releases', {
    summary: 'Count the events of a group by release',
    description:
      'Releases in the order of appearance, the last first; the next page is in the `Link` header. The newest 20,000 events are counted.',
    params: Type.Object({ id: IdText }),
    querystring: GroupReleasesQuery,
    answer: withScanHeaders(Type.Array(GroupRelease)),
    handle: async (request, { pool, clock, reads, events, publicUrl }, reply) => {
      const { limit: wanted = 50, cursor } = request.query;
      const page = { after: readReleaseCursor(cursor), limit: pageSize(wanted) };
      const { organizationId } = sessionOf(request);
      const group = await requireHead(pool, organizationId, request.params.id, new Date(clock.now()));
      const read = { organizationId, signal: goneSignal(reply.raw), subject: 'the events of the group' };
      const { releases, scan } = await reads.run(read, (database) =>
        events.on(database).countReleasesOfGroup(organizationId, group.id, page),
      );
      sendScan(reply, scan);
      const rows = releases.slice(0, page.limit);
      if (releases.length > page.limit)
        linkNextPage(request, reply, toReleaseCursor(placeAfter(rows, page)), publicUrl);
      return rows.map(({ version, events, deployedAt }) => ({
        version,
        events,
        deployedAt: deployedAt && isoTime(deployedAt),
      }));
    },
  }),
];

/** Returns the place of the page's end: behind a number, or behind so many releases without one. */
function placeAfter(
  rows: readonly GroupReleaseRow[],
  { after }: ReleasePage,
): { value: number; number: number } {
  const number = rows.at(-1)?.number ?? 0;
  const value = (after?.value ?? 0) + rows.filter((row) => row.number === null).length;
  return { value, number };
}

/** @throws ApiError `validation_failed` */
function readIds(text: string): string[] {
  const ids = [...new Set(text.split(','))];
  if (ids.length > MAX_COUNTED_GROUPS) throw invalidQuery('/ids', `must be at most ${MAX_COUNTED_GROUPS}`);
  return ids.flatMap((id) => toUuid('grp', id) ?? []);
}
