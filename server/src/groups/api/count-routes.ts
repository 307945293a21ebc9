import { Type } from 'typebox';
import type { Store } from '../../database/database.ts';
import type { ExpensiveReads } from '../../database/expensive-reads.ts';
import { invalidQuery } from '../../events/invalid-query.ts';
import { sendScan, withScanHeaders } from '../../events/scan-headers.ts';
import { routesOf } from '../../http/route.ts';
import { IdText } from '../../http/schemas.ts';
import { goneSignal } from '../../http/sockets/gone-signal.ts';
import { toId, toUuid } from '../../platform/ids.ts';
import { isoTime } from '../../platform/time.ts';
import { sessionOf } from '../../tenancy/session.ts';
import { GroupCounts, GroupCountsQuery, GroupRelease } from '../count-schema.ts';
import { MAX_COUNTED_GROUPS } from '../limits.ts';
import { requireHead } from '../require-group.ts';
import { countRecent } from './count-recent.ts';
import { listGroupReleases } from './event-count-queries.ts';

/** Counts of groups' events by time and by release. */
const route = routesOf<Store & { reads: ExpensiveReads }>('Groups');

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
      'Releases in the order of appearance, the last first, 50 at most. The newest 20,000 events are counted.',
    params: Type.Object({ id: IdText }),
    answer: withScanHeaders(Type.Array(GroupRelease)),
    handle: async (request, { pool, clock, reads }, reply) => {
      const { organizationId } = sessionOf(request);
      const group = await requireHead(pool, organizationId, request.params.id, new Date(clock.now()));
      const read = { organizationId, signal: goneSignal(reply.raw), subject: 'the events of the group' };
      const { releases, scan } = await reads.run(read, (database) =>
        listGroupReleases(database, organizationId, group.id),
      );
      sendScan(reply, scan);
      return releases.map((row) => ({ ...row, deployedAt: row.deployedAt && isoTime(row.deployedAt) }));
    },
  }),
];

/** @throws ApiError `validation_failed` */
function readIds(text: string): string[] {
  const ids = [...new Set(text.split(','))];
  if (ids.length > MAX_COUNTED_GROUPS) throw invalidQuery('/ids', `must be at most ${MAX_COUNTED_GROUPS}`);
  return ids.flatMap((id) => toUuid('grp', id) ?? []);
}
