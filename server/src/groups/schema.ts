import { type Static, Type } from 'typebox';
import { Severity } from '../events/severity.ts';
import { Cursor, IdText, IsoTime, Limit, Nullable, Timestamp } from '../http/schemas.ts';
import { toId } from '../platform/ids.ts';
import { isoTime } from '../platform/time.ts';
import { groupKey } from './group-key.ts';
import {
  MAX_BULK_GROUPS,
  MAX_COUNTED_GROUPS,
  MAX_MUTE_COUNT,
  MAX_MUTE_PERIOD_SECONDS,
  MAX_SEARCH_LENGTH,
  MIN_MUTE_PERIOD_SECONDS,
} from './limits.ts';

const GROUP_STATES = ['open', 'resolved', 'muted'] as const;
export const GroupState = Type.Enum([...GROUP_STATES]);
export type GroupState = Static<typeof GroupState>;

export const Resolution = Type.Enum(['now', 'current', 'next']);
export type Resolution = Static<typeof Resolution>;

export const Group = Type.Object({
  id: Type.String({ examples: ['grp_01h455vb4pex5vsknk084sn02q'] }),
  number: Type.Integer({
    description: 'Within the project, with gaps. 0: the events of all kinds beyond the bound on new groups.',
  }),
  key: Type.String({ description: 'The number, for speech and commits.', examples: ['SHOP-12'] }),
  projectId: Type.String(),
  fingerprint: Type.String(),
  title: Type.String(),
  culprit: Nullable(
    Type.String({ description: 'Where it happens: the innermost frame of the application.' }),
  ),
  type: Type.String(),
  source: Nullable(Type.String()),
  severity: Type.Unsafe<Severity>({ ...Severity, description: 'The worst.' }),
  state: GroupState,
  count: Type.Integer({ description: 'All events so far, those that retention has removed included.' }),
  users: Type.Integer({
    description: 'Different values of `user_id`, else `customer_id`: exact up to 1,000; 1,001 is “more”.',
  }),
  firstSeen: Timestamp,
  lastSeen: Timestamp,
  firstRelease: Nullable(Type.String()),
  lastRelease: Nullable(Type.String()),
  resolution: Type.Unsafe<Resolution | null>({
    enum: ['now', 'current', 'next', null],
    description: 'How it was resolved; null: it is not resolved.',
  }),
  resolvedIn: Nullable(
    Type.String({
      description:
        'The release that later events are compared with: `now` and `current` reopen from it on, `next` after it.',
    }),
  ),
  resolvedAt: Nullable(Timestamp),
  muteUntil: Nullable(Timestamp),
  muteForCount: Nullable(
    Type.Integer({ description: 'How many more events end the mute; with `mutePeriodSeconds`, within it.' }),
  ),
  mutePeriodSeconds: Nullable(Type.Integer()),
  regressedAt: Nullable(Timestamp),
  assigneeId: Nullable(Type.String()),
});
export type Group = Static<typeof Group>;

export const GroupList = {
  ...Type.Array(Group),
  headers: {
    'Scanned-Groups': {
      type: 'integer',
      description:
        'Only where the search ended before the page was full: about how many groups were looked at. The `Link` goes on behind them. Without it the page is complete.',
    },
  },
};

/** A merged group as its target lists it. */
const MergedGroup = Type.Object({
  id: Type.String(),
  number: Type.Integer(),
  key: Type.String(),
  fingerprint: Type.String(),
  title: Type.String(),
  count: Type.Integer(),
});

const CountAt = Type.Object({ start: Timestamp, count: Type.Integer() });

export const CountUnit = Type.Enum(['minute', 'hour', 'day']);
export type CountUnit = Static<typeof CountUnit>;

export const GroupCountsQuery = Type.Object({
  ids: Type.String({
    maxLength: MAX_COUNTED_GROUPS * 64,
    description: `Ids of groups with commas between, at most ${MAX_COUNTED_GROUPS}; for unknown ones nothing is counted.`,
  }),
  unit: CountUnit,
});

export const GroupCounts = Type.Object({
  start: Type.String({ ...Timestamp, description: 'Of the first bucket.' }),
  intervalSeconds: Type.Integer(),
  groups: Type.Array(
    Type.Object({
      id: Type.String(),
      counts: Type.Array(Type.Integer(), {
        description: 'Of each bucket, oldest first, empty ones included.',
      }),
    }),
  ),
});
export type GroupCounts = Static<typeof GroupCounts>;

export const GroupRelease = Type.Object({
  version: Nullable(Type.String({ description: 'Null: events without one.' })),
  events: Type.Integer(),
  deployedAt: Nullable(
    Type.String({ ...Timestamp, description: 'The first deploy that was reported, else the first event.' }),
  ),
});
export type GroupRelease = Static<typeof GroupRelease>;

export const GroupDetail = Type.Object({
  ...Group.properties,
  merged: Type.Array(MergedGroup, {
    description: 'The groups that were merged into it; each can be taken out again.',
  }),
  hours: Type.Array(CountAt, {
    description: 'Events of each of the last 24 hours, the running one included.',
  }),
  days: Type.Array(CountAt, { description: 'Events of each of the last 30 days (UTC), today included.' }),
});
export type GroupDetail = Static<typeof GroupDetail>;

export const GroupSort = Type.Enum(['last_seen', 'first_seen', 'count', 'users']);
export type GroupSort = Static<typeof GroupSort>;

export const GroupQuery = Type.Object({
  project_id: Type.Optional(Type.String({ maxLength: 256 })),
  state: Type.Optional(GroupState),
  release: Type.Optional(Type.String({ maxLength: 256, description: 'Groups with events of this release.' })),
  source: Type.Optional(Type.String({ maxLength: 1024 })),
  type: Type.Optional(Type.String({ maxLength: 1024 })),
  severity: Type.Optional(Severity),
  min_severity: Type.Optional(
    Type.Unsafe<Severity>({ ...Severity, description: 'Groups whose worst event is at least as severe.' }),
  ),
  assignee: Type.Optional(
    Type.String({ maxLength: 256, description: 'The id of a user, `me`, or `none`.', examples: ['me'] }),
  ),
  is: Type.Optional(
    Type.Enum(['new', 'regressed'], {
      description: '`new`: first seen within 24 hours. `regressed`: open again after a resolution.',
    }),
  ),
  q: Type.Optional(
    Type.String({
      maxLength: MAX_SEARCH_LENGTH,
      description:
        'Words that message, culprit and frames hold, in any order and case, or the key of a group (`SHOP-12`). At most 8 different ones of 50 characters each.',
    }),
  ),
  key: Type.Optional(
    Type.String({
      maxLength: 256,
      description:
        'The groups with this key, in any case: of each project whose name gives it, one. For a group that was merged, the one that has its events now.',
      examples: ['SHOP-12'],
    }),
  ),
  sort: Type.Optional(GroupSort),
  limit: Type.Optional(Limit),
  cursor: Type.Optional(Cursor),
});

const MuteFields = {
  muteUntil: Type.Optional(Type.Unsafe<string | null>({ ...IsoTime, type: ['string', 'null'] })),
  muteForCount: Type.Optional(
    Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 1, maximum: MAX_MUTE_COUNT }),
  ),
  mutePeriodSeconds: Type.Optional(
    Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      minimum: MIN_MUTE_PERIOD_SECONDS,
      maximum: MAX_MUTE_PERIOD_SECONDS,
      description: 'With `muteForCount`: that many within so many seconds, in whole minutes, end the mute.',
    }),
  ),
};

export const GroupPatch = Type.Object({
  state: Type.Optional(GroupState),
  resolvedIn: Type.Optional(Resolution),
  ...MuteFields,
  assigneeId: Type.Optional(Nullable(IdText)),
});
export type GroupPatch = Static<typeof GroupPatch>;

export const BulkPatch = Type.Object({
  ids: Type.Array(IdText, { minItems: 1, maxItems: MAX_BULK_GROUPS }),
  ...GroupPatch.properties,
});

export const GroupHistoryEntry = Type.Object({
  id: Type.String(),
  at: Timestamp,
  userId: Nullable(Type.String({ description: 'Null: Tocsin.' })),
  userName: Nullable(Type.String()),
  before: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
  after: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
});

export const MergeBody = Type.Object({
  ids: Type.Array(IdText, {
    minItems: 1,
    maxItems: MAX_BULK_GROUPS,
    description: 'The groups to merge into this one.',
  }),
});

export interface GroupRow {
  id: string;
  organizationId: string;
  projectId: string;
  projectName: string;
  number: number;
  fingerprint: string;
  title: string;
  culprit: string | null;
  type: string;
  source: string | null;
  severity: Severity;
  state: GroupState;
  count: number;
  users: number;
  firstSeen: Date;
  lastSeen: Date;
  firstRelease: string | null;
  lastRelease: string | null;
  resolution: Resolution | null;
  resolvedAt: Date | null;
  resolvedRelease: string | null;
  muteUntil: Date | null;
  /** Count that ends the mute. */
  muteUntilCount: number | null;
  muteRateCount: number | null;
  muteRateSeconds: number | null;
  regressedAt: Date | null;
  assigneeId: string | null;
  mergedInto: string | null;
}

export function toGroup(row: GroupRow): Group {
  const moreEvents = row.muteUntilCount === null ? null : Math.max(0, row.muteUntilCount - row.count);
  return {
    id: toId('grp', row.id),
    number: row.number,
    key: groupKey(row.projectName, row.number),
    projectId: toId('proj', row.projectId),
    fingerprint: row.fingerprint,
    title: row.title,
    culprit: row.culprit,
    type: row.type,
    source: row.source,
    severity: row.severity,
    state: row.state,
    count: row.count,
    users: row.users,
    firstSeen: isoTime(row.firstSeen),
    lastSeen: isoTime(row.lastSeen),
    firstRelease: row.firstRelease,
    lastRelease: row.lastRelease,
    resolution: row.resolution,
    resolvedIn: row.resolvedRelease,
    resolvedAt: row.resolvedAt && isoTime(row.resolvedAt),
    muteUntil: row.muteUntil && isoTime(row.muteUntil),
    muteForCount: row.muteRateCount ?? moreEvents,
    mutePeriodSeconds: row.muteRateSeconds,
    regressedAt: row.regressedAt && isoTime(row.regressedAt),
    assigneeId: row.assigneeId && toId('usr', row.assigneeId),
  };
}
