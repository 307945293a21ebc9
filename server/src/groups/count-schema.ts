import { type Static, Type } from 'typebox';
import { Cursor, Limit, Nullable, Timestamp } from '../http/schemas.ts';
import { MAX_COUNTED_GROUPS } from './limits.ts';

export const CountAt = Type.Object({ start: Timestamp, count: Type.Integer() });

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
  start: Type.String({ ...Timestamp, description: 'Start of the first bucket.' }),
  intervalSeconds: Type.Integer(),
  groups: Type.Array(
    Type.Object({
      id: Type.String(),
      counts: Type.Array(Type.Integer(), {
        description: 'Counts of the buckets, oldest first, empty ones included.',
      }),
    }),
  ),
});
export type GroupCounts = Static<typeof GroupCounts>;

export const GroupReleasesQuery = Type.Object({
  limit: Type.Optional(Limit),
  cursor: Type.Optional(Cursor),
});

export const GroupRelease = Type.Object({
  version: Nullable(Type.String({ description: 'Null: events without one.' })),
  events: Type.Integer(),
  deployedAt: Nullable(
    Type.String({ ...Timestamp, description: 'The first deploy that was reported, else the first event.' }),
  ),
});
export type GroupRelease = Static<typeof GroupRelease>;
