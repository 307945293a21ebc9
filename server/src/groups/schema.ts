import { type Static, Type } from 'typebox';
import { FailedPayments } from '../events/failed-payments.ts';
import { Severity } from '../events/severity.ts';
import { Cursor, Limit, Nullable, Timestamp } from '../http/schemas.ts';
import { CountAt } from './count-schema.ts';
import { MAX_SEARCH_LENGTH } from './limits.ts';

const GROUP_STATES = ['open', 'resolved', 'muted'] as const;
export const GroupState = Type.Enum([...GROUP_STATES]);
export type GroupState = Static<typeof GroupState>;

export const Resolution = Type.Enum(['now', 'current', 'next']);
export type Resolution = Static<typeof Resolution>;

export const Group = Type.Object({
  id: Type.String({ examples: ['grp_01h455vb4pex5vsknk084sn02q'] }),
  number: Type.Integer({
    description: 'Number within the project, with gaps. 0: all events beyond the bound on new groups.',
  }),
  key: Type.String({
    description: 'The prefix of its project and its number, for speech and commits.',
    examples: ['SHOP-12'],
  }),
  projectId: Type.String(),
  fingerprint: Type.String(),
  title: Type.String(),
  culprit: Nullable(
    Type.String({
      description:
        'Innermost frame of the application, in its source where an uploaded source map leads there; messages of the WebSocket have it as it was sent.',
    }),
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
  environments: Type.Array(Type.String(), { description: 'Environments in which its events occurred.' }),
  resolution: Type.Unsafe<Resolution | null>({
    enum: ['now', 'current', 'next', null],
    description: 'Kind of the resolution; null: it is not resolved.',
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
    Type.Integer({
      description: 'Number of further events that end the mute; with `mutePeriodSeconds`, within it.',
    }),
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
        'Approximate number of scanned groups, if the search ended before the page was full. The `Link` goes on behind them. Without it the page is complete.',
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

export const GroupDetail = Type.Object({
  ...Group.properties,
  merged: Type.Array(MergedGroup, {
    description: 'The groups that were merged into it; each can be taken out again.',
  }),
  hours: Type.Array(CountAt, {
    description: 'Events of each of the last 24 hours, the running one included.',
  }),
  days: Type.Array(CountAt, { description: 'Events of each of the last 30 days (UTC), today included.' }),
  failedPayments: Type.Unsafe<FailedPayments | null>({
    ...FailedPayments,
    type: ['object', 'null'],
    description: 'Failed payments of these days; null: none of them has an amount.',
  }),
  environmentCounts: Nullable(
    Type.Object(
      {
        counts: Type.Array(Type.Object({ environment: Type.String(), count: Type.Integer() }), {
          description: 'Counts of `environments`, in their order.',
        }),
        from: Nullable(
          Type.String({
            ...Timestamp,
            description: 'Instant from which on events are counted; null: all stored ones are.',
          }),
        ),
      },
      {
        description:
          'Number of events by environment, of the newest 5,000. Null: there is one environment, or it is the group with the number 0.',
      },
    ),
  ),
});
export type GroupDetail = Static<typeof GroupDetail>;

export const GroupSort = Type.Enum(['last_seen', 'first_seen', 'count', 'users']);
export type GroupSort = Static<typeof GroupSort>;

export const GroupQuery = Type.Object({
  project_id: Type.Optional(Type.String({ maxLength: 256 })),
  state: Type.Optional(GroupState),
  release: Type.Optional(Type.String({ maxLength: 256, description: 'Groups with events of this release.' })),
  environment: Type.Optional(
    Type.String({
      maxLength: 256,
      description: 'Groups with events of this environment, in any of its spellings.',
    }),
  ),
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
        'The group with this key, in any case, also one with a former prefix of its project. For a group that was merged, the one that has its events now.',
      examples: ['SHOP-12'],
    }),
  ),
  sort: Type.Optional(GroupSort),
  limit: Type.Optional(Limit),
  cursor: Type.Optional(Cursor),
});

export const GroupHistoryEntry = Type.Object({
  id: Type.String(),
  at: Timestamp,
  userId: Nullable(Type.String({ description: 'Null: Tocsin.' })),
  userName: Nullable(Type.String()),
  before: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
  after: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
});
