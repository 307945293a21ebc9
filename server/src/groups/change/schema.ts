import { type Static, Type } from 'typebox';
import { IdText, IsoTime, Nullable } from '../../http/schemas.ts';
import {
  MAX_BULK_GROUPS,
  MAX_MUTE_COUNT,
  MAX_MUTE_PERIOD_SECONDS,
  MIN_MUTE_PERIOD_SECONDS,
} from '../limits.ts';
import { GroupState, Resolution } from '../schema.ts';

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
      description: 'Seconds, in whole minutes, within which `muteForCount` events end the mute.',
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

export const MergeBody = Type.Object({
  ids: Type.Array(IdText, {
    minItems: 1,
    maxItems: MAX_BULK_GROUPS,
    description: 'The groups to merge into this one.',
  }),
});
