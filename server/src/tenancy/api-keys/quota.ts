import { type Static, Type } from 'typebox';
import { Nullable } from '../../http/schemas.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../platform/durations.ts';
import { MAX_QUOTA } from './limits.ts';

const MaxEvents = (period: string) =>
  Nullable(
    Type.Integer({
      minimum: 1,
      maximum: MAX_QUOTA,
      description: `Maximum events ${period}; null: no limit.`,
    }),
  );

/** Limits on the events of a project or a key. */
export const Quota = Type.Object({
  per5Minutes: MaxEvents('in 5 minutes'),
  perHour: MaxEvents('an hour'),
  perDay: MaxEvents('a day'),
});
export type Quota = Static<typeof Quota>;

/** Length of the windows of each limit, in milliseconds. They begin at its multiples, in UTC. */
export const QUOTA_PERIODS = {
  per5Minutes: 5 * MINUTE_MS,
  perHour: HOUR_MS,
  perDay: DAY_MS,
} satisfies Record<keyof Quota, number>;

// Keys of an object of this type.
export const QUOTA_LIMITS = Object.keys(QUOTA_PERIODS) as (keyof Quota)[];

export const NO_QUOTA: Quota = { per5Minutes: null, perHour: null, perDay: null };
/** Quota of a key that stands in pages, where anyone can read it, unless another one is chosen. */
export const BROWSER_QUOTA: Quota = { ...NO_QUOTA, per5Minutes: 3_000 };
