import { type Static, Type } from 'typebox';
import type { Store } from '../../database/database.ts';
import type { ExpensiveReads } from '../../database/expensive-reads.ts';
import { sendEventPage, toPageRequest } from '../../events/page.ts';
import type { EventReader } from '../../events/reader.ts';
import { withScanHeaders } from '../../events/scan-headers.ts';
import { EventPageQuery, ListedEvent } from '../../events/schema.ts';
import { linkNextPage, pageOf, pageSize, readPage } from '../../http/pages.ts';
import { routesOf } from '../../http/route.ts';
import { Cursor, IdText, Limit } from '../../http/schemas.ts';
import { goneSignal } from '../../http/sockets/gone-signal.ts';
import { confirmedTime } from '../../platform/clock.ts';
import { toId } from '../../platform/ids.ts';
import { isoTime } from '../../platform/time.ts';
import { sessionOf } from '../../tenancy/session.ts';
import { changeGroups } from '../change/change-groups.ts';
import { mergeGroups, type RecountIncidents, separateGroup } from '../change/merge-groups.ts';
import { BulkPatch, GroupPatch, MergeBody } from '../change/schema.ts';
import { type GroupRow, toGroup } from '../group-row.ts';
import { type ListedHistoryRow, listHistory } from '../history-queries.ts';
import { isGroupListIndexed, listGroups } from '../list-queries.ts';
import { type CulpritDependencies, mapCulprits } from '../map-culprits.ts';
import { readGroupCursor, toGroupCursor } from '../page.ts';
import { requireHead } from '../require-group.ts';
import { Group, GroupDetail, GroupHistoryEntry, GroupList, GroupQuery } from '../schema.ts';
import { describeGroup } from './describe-group.ts';
import { readGroupConditions } from './read-conditions.ts';

const ById = Type.Object({ id: IdText });

interface GroupDependencies extends Store, CulpritDependencies {
  publicUrl: URL | null;
  reads: ExpensiveReads;
  events: Pick<EventReader, 'on' | 'listOfGroup'>;
  recountIncidents: RecountIncidents;
}

const route = routesOf<GroupDependencies>('Groups');

export const groupRoutes = [
  route.get('/groups', {
    summary: 'List groups',
    description:
      'Events of one kind are one group. The largest value of `sort` first, by default the last seen. The next page is in the `Link` header: a group that gets events meanwhile is on no page twice.',
    querystring: GroupQuery,
    answer: GroupList,
    handle: async (request, store, reply) => {
      const session = sessionOf(request);
      const { sort = 'last_seen' } = request.query;
      const after = readGroupCursor(request.query.cursor);
      const limit = pageSize(request.query.limit ?? 50);
      const conditions = await readGroupConditions(store.pool, session, request.query, store.clock);
      if (!conditions) return [];
      const { organizationId } = session;
      const page = { sort, after, limit };
      const read = { organizationId, signal: goneSignal(reply.raw), subject: 'the groups' };
      const { rows, last, scanned } = isGroupListIndexed(conditions, sort)
        ? await listGroups(store.pool, organizationId, conditions, page)
        : await store.reads.run(read, (database) => listGroups(database, organizationId, conditions, page));
      if (last) linkNextPage(request, reply, `grp_${toGroupCursor(sort, last)}`, store.publicUrl);
      if (scanned !== null) reply.header('scanned-groups', scanned);
      return mapCulprits(store, organizationId, rows.map(toGroup));
    },
  }),

  route.patch('/groups', {
    summary: 'Change several groups',
    description: 'Changes all of them or none. The answer has the changed groups.',
    body: BulkPatch,
    answer: Type.Array(Group),
    handle: async (request, store) => {
      const { ids, ...patch } = request.body;
      const session = sessionOf(request);
      const rows = await changeGroups(store, session, ids, patch);
      return mapCulprits(store, session.organizationId, rows.map(toGroup));
    },
  }),

  route.get('/groups/:id', {
    summary: 'Read a group',
    description: 'A merged group is answered by the one that has its events now.',
    params: ById,
    answer: GroupDetail,
    handle: async (request, store) =>
      describeGroup(store, await findHead(store, request.params.id, sessionOf(request)), store.clock.now()),
  }),

  route.patch('/groups/:id', {
    summary: 'Resolve, mute, reopen or assign a group',
    description:
      'Resolved `now`, in the `current` release of the project or in the `next` one. A later event reopens a group: of the release of the resolution or a newer one, for `next` of a newer one. An event of an older release never does, nor one without a release, unless the group never had one. Muted until an instant, until so many more events have come, until so many come within a period, or, without any of these, until a person opens it; muted groups go on counting.',
    params: ById,
    body: GroupPatch,
    answer: GroupDetail,
    handle: async (request, store) => {
      const session = sessionOf(request);
      await changeGroups(store, session, [request.params.id], request.body);
      return describeGroup(store, await findHead(store, request.params.id, session), store.clock.now());
    },
  }),

  route.post('/groups/:id/merge', {
    summary: 'Merge groups into another one',
    description:
      'The groups must be of one project. Their events count in this group as well, and they are listed only with it. No event is rewritten: each can be taken out again.',
    params: ById,
    body: MergeBody,
    answer: GroupDetail,
    handle: async (request, store) => {
      const session = sessionOf(request);
      const { recountIncidents } = store;
      await mergeGroups(store, session, { ...request.params, ...request.body, recountIncidents });
      return describeGroup(store, await findHead(store, request.params.id, session), store.clock.now());
    },
  }),

  route.delete('/groups/:id/merged/:mergedId', {
    summary: 'Take a merged group out again',
    description: 'The group is listed by itself again, and its events count in it alone.',
    params: Type.Object({ id: IdText, mergedId: IdText }),
    answer: GroupDetail,
    handle: async (request, store) => {
      const session = sessionOf(request);
      const { recountIncidents } = store;
      await separateGroup(store, session, { ...request.params, recountIncidents });
      return describeGroup(store, await findHead(store, request.params.id, session), store.clock.now());
    },
  }),

  route.get('/groups/:id/events', {
    summary: 'List the events of a group',
    description:
      'Newest first, or oldest first with `order=asc`. A page ends at `limit` events or 8 MiB, whichever comes first; the next page is in the `Link` header. The part of an event’s id after `evt_` is a cursor, too: so `limit=1` finds the event before or after it. Of the group with the number 0, 50,000 events are scanned for a page.',
    params: ById,
    querystring: Type.Object({
      ...EventPageQuery.properties,
      order: Type.Optional(Type.Enum(['asc', 'desc'])),
    }),
    answer: withScanHeaders(Type.Array(ListedEvent)),
    handle: async (request, { publicUrl, events, ...store }, reply) => {
      const session = sessionOf(request);
      const { organizationId } = session;
      const page = { ...toPageRequest(request.query), order: request.query.order ?? 'desc' };
      const group = await findHead(store, request.params.id, session);
      const found = await events.listOfGroup(organizationId, group, page, goneSignal(reply.raw));
      return sendEventPage(request, reply, found, publicUrl);
    },
  }),

  route.get('/groups/:id/history', {
    summary: 'List the changes of a group',
    description: 'Newest first, by people and by Tocsin. The next page is in the `Link` header.',
    params: ById,
    querystring: Type.Object({ limit: Type.Optional(Limit), cursor: Type.Optional(Cursor) }),
    answer: Type.Array(GroupHistoryEntry),
    handle: async (request, { publicUrl, ...store }, reply) => {
      const page = readPage(request.query);
      const session = sessionOf(request);
      const group = await findHead(store, request.params.id, session);
      const rows = await listHistory(store.pool, session.organizationId, group.id, page);
      return pageOf(request, reply, rows.map(toHistoryEntry), { ...page, publicUrl });
    },
  }),
];

async function findHead(
  { pool, clock }: Store,
  id: string,
  { organizationId }: { organizationId: string },
): Promise<GroupRow> {
  return requireHead(pool, organizationId, id, new Date(confirmedTime(clock)));
}

function toHistoryEntry(row: ListedHistoryRow): Static<typeof GroupHistoryEntry> {
  return {
    id: toId('grh', row.id),
    at: isoTime(row.createdAt),
    userId: row.userId && toId('usr', row.userId),
    userName: row.userName,
    before: row.before,
    after: row.after,
  };
}
