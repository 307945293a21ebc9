import type { Store } from '../database/database.ts';
import { invalidQuery } from '../events/invalid-query.ts';
import type { HttpApp } from '../http/app.ts';
import { toId, toUuid } from '../platform/ids.ts';
import { isoTime } from '../platform/time.ts';
import { sessionOf } from '../tenancy/session.ts';
import { countRecent } from './count-recent.ts';
import { MAX_COUNTED_GROUPS } from './limits.ts';
import { GroupCounts, GroupCountsQuery } from './schema.ts';

const tags = ['Groups'];

/** When the events of groups came. */
export function registerGroupCountRoutes(app: HttpApp, { pool, clock }: Store): void {
  app.get(
    '/groups/counts',
    {
      schema: {
        tags,
        summary: 'Count the events of groups over time',
        description:
          'Exact counts of the last 60 minutes, 24 hours or 30 days (UTC), the running one included, with those of merged groups.',
        querystring: GroupCountsQuery,
        response: { 200: GroupCounts },
      },
    },
    async (request) => {
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
  );
}

/** @throws ApiError `validation_failed` */
function readIds(text: string): string[] {
  const ids = [...new Set(text.split(','))];
  if (ids.length > MAX_COUNTED_GROUPS) throw invalidQuery('/ids', `must be at most ${MAX_COUNTED_GROUPS}`);
  return ids.flatMap((id) => toUuid('grp', id) ?? []);
}
