import { type Static, Type } from 'typebox';
import type { Pool } from '../database/database.ts';
import type { ExpensiveReads } from '../database/expensive-reads.ts';
import { sendEventPage, toPageRequest } from '../events/page.ts';
import { withScanHeaders } from '../events/scan-headers.ts';
import { EventPageQuery, ListedEvent } from '../events/schema.ts';
import type { HttpApp } from '../http/app.ts';
import { goneSignal } from '../http/gone-signal.ts';
import { linkNextPage, pageOf, pageSize, readCursor } from '../http/pages.ts';
import { Cursor, IdText, Limit } from '../http/schemas.ts';
import type { Clock } from '../platform/clock.ts';
import { toId } from '../platform/ids.ts';
import { isoTime } from '../platform/time.ts';
import { sessionOf } from '../tenancy/session.ts';
import { changeGroups } from './change/change-groups.ts';
import { mergeGroups, type RecountIncidents, separateGroup } from './change/merge-groups.ts';
import { describeGroup } from './describe-group.ts';
import { endMutes } from './end-mutes.ts';
import { listGroupEvents } from './event-queries.ts';
import { type ListedHistoryRow, listHistory } from './history-queries.ts';
import { isGroupListIndexed, listGroups } from './list-queries.ts';
import { readGroupCursor, toGroupCursor } from './page.ts';
import { readGroupConditions } from './read-conditions.ts';
import { requireHead } from './require-group.ts';
import {
  BulkPatch,
  Group,
  GroupDetail,
  GroupHistoryEntry,
  GroupList,
  GroupPatch,
  GroupQuery,
  type GroupRow,
  MergeBody,
  toGroup,
} from './schema.ts';

const tags = ['Groups'];
const ById = Type.Object({ id: IdText });

export interface GroupDependencies {
  pool: Pool;
  clock: Clock;
  publicUrl: URL | null;
  reads: ExpensiveReads;
  recountIncidents: RecountIncidents;
}

export function registerGroupRoutes(app: HttpApp, dependencies: GroupDependencies): void {
  const { pool, clock, publicUrl, reads, recountIncidents } = dependencies;
  const store = { pool, clock };

  app.get(
    '/groups',
    {
      schema: {
        tags,
        summary: 'List groups',
        description:
          'Events of one kind are one group. The largest value of `sort` first, by default the last seen. The next page is in the `Link` header: a group that gets events meanwhile is on no page twice.',
        querystring: GroupQuery,
        response: { 200: GroupList },
      },
    },
    async (request, reply) => {
      const session = sessionOf(request);
      const { sort = 'last_seen' } = request.query;
      const after = readGroupCursor(request.query.cursor);
      const limit = pageSize(request.query.limit ?? 50);
      const conditions = await readGroupConditions(pool, session, request.query, clock.now());
      if (!conditions) return [];
      const { organizationId } = session;
      await endMutes(store, organizationId);
      const page = { sort, after, limit };
      const read = { organizationId, signal: goneSignal(reply.raw), subject: 'the groups' };
      const { rows, last, scanned } = isGroupListIndexed(conditions, sort)
        ? await listGroups(pool, organizationId, conditions, page)
        : await reads.run(read, (database) => listGroups(database, organizationId, conditions, page));
      if (last) linkNextPage(request, reply, `grp_${toGroupCursor(sort, last)}`, publicUrl);
      if (scanned !== null) reply.header('scanned-groups', scanned);
      return rows.map(toGroup);
    },
  );

  app.patch(
    '/groups',
    {
      schema: {
        tags,
        summary: 'Change several groups',
        description: 'As for one, all of them or none. The answer has the groups as they are then.',
        body: BulkPatch,
        response: { 200: Type.Array(Group) },
      },
    },
    async (request) => {
      const { ids, ...patch } = request.body;
      const session = sessionOf(request);
      await endMutes(store, session.organizationId);
      return (await changeGroups(store, session, ids, patch)).map(toGroup);
    },
  );

  app.get(
    '/groups/:id',
    {
      schema: {
        tags,
        summary: 'Read a group',
        description: 'For a group that was merged, the one that has its events now.',
        params: ById,
        response: { 200: GroupDetail },
      },
    },
    async (request) =>
      describeGroup(pool, await findHead(request.params.id, sessionOf(request)), clock.now()),
  );

  app.patch(
    '/groups/:id',
    {
      schema: {
        tags,
        summary: 'Resolve, mute, reopen or assign a group',
        description:
          'Resolved `now`, in the `current` release of the project or in the `next` one. A later event reopens a group: of the release of the resolution or a newer one, for `next` of a newer one. An event of an older release never does, nor one without a release, unless the group never had one. Muted until an instant, until so many more events have come, until so many come within a period, or, without any of these, until a person opens it; muted groups go on counting.',
        params: ById,
        body: GroupPatch,
        response: { 200: GroupDetail },
      },
    },
    async (request) => {
      const session = sessionOf(request);
      await endMutes(store, session.organizationId);
      await changeGroups(store, session, [request.params.id], request.body);
      return describeGroup(pool, await findHead(request.params.id, session), clock.now());
    },
  );

  app.post(
    '/groups/:id/merge',
    {
      schema: {
        tags,
        summary: 'Merge groups into another one',
        description:
          'Of one project. Their events count in this group as well, and they are listed with it alone. No event is rewritten: each can be taken out again.',
        params: ById,
        body: MergeBody,
        response: { 200: GroupDetail },
      },
    },
    async (request) => {
      const session = sessionOf(request);
      await mergeGroups(store, session, { ...request.params, ...request.body, recountIncidents });
      return describeGroup(pool, await findHead(request.params.id, session), clock.now());
    },
  );

  app.delete(
    '/groups/:id/merged/:mergedId',
    {
      schema: {
        tags,
        summary: 'Take a merged group out again',
        params: Type.Object({ id: IdText, mergedId: IdText }),
        response: { 200: GroupDetail },
      },
    },
    async (request) => {
      const session = sessionOf(request);
      await separateGroup(store, session, { ...request.params, recountIncidents });
      return describeGroup(pool, await findHead(request.params.id, session), clock.now());
    },
  );

  app.get(
    '/groups/:id/events',
    {
      schema: {
        tags,
        summary: 'List the events of a group',
        description:
          'Newest first, or oldest first with `order=asc`. A page ends at `limit` events or 8 MiB, whichever comes first; the next page is in the `Link` header. The part of an event’s id after `evt_` is a cursor, too: so `limit=1` finds the event before or after it. Of the group with the number 0, 50,000 events are scanned for a page.',
        params: ById,
        querystring: Type.Object({
          ...EventPageQuery.properties,
          order: Type.Optional(Type.Enum(['asc', 'desc'])),
        }),
        response: { 200: withScanHeaders(Type.Array(ListedEvent)) },
      },
    },
    async (request, reply) => {
      const session = sessionOf(request);
      const { organizationId } = session;
      const page = { ...toPageRequest(request.query), order: request.query.order ?? 'desc' };
      const group = await findHead(request.params.id, session);
      const read = { organizationId, signal: goneSignal(reply.raw), subject: 'the events of the group' };
      const events =
        group.number === 0
          ? await reads.run(read, (database) => listGroupEvents(database, organizationId, group, page))
          : await listGroupEvents(pool, organizationId, group, page);
      return sendEventPage(request, reply, events, publicUrl);
    },
  );

  app.get(
    '/groups/:id/history',
    {
      schema: {
        tags,
        summary: 'List the changes of a group',
        description: 'Newest first, by people and by Tocsin. The next page is in the `Link` header.',
        params: ById,
        querystring: Type.Object({ limit: Type.Optional(Limit), cursor: Type.Optional(Cursor) }),
        response: { 200: Type.Array(GroupHistoryEntry) },
      },
    },
    async (request, reply) => {
      const limit = pageSize(request.query.limit ?? 50);
      const cursor = readCursor(request.query.cursor);
      const session = sessionOf(request);
      const group = await findHead(request.params.id, session);
      const rows = await listHistory(pool, session.organizationId, group.id, { cursor, limit });
      return pageOf(request, reply, rows.map(toHistoryEntry), { limit, publicUrl });
    },
  );

  async function findHead(id: string, { organizationId }: { organizationId: string }): Promise<GroupRow> {
    await endMutes(store, organizationId);
    return requireHead(pool, organizationId, id);
  }
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
