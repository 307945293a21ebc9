import type { Clock } from '../platform/clock.ts';
import { ApiError } from '../platform/errors.ts';
import { TokenBuckets } from '../platform/token-buckets.ts';
import { SCHEDULE_ERRORS } from './errors.ts';

/** Rate limit of one schedule, in one process: a burst, and then one a second. */
const PACE = { capacity: 30, refillPerSecond: 1, maxKeys: 10_000 };

/** Returns a function that takes a check-in of a schedule. @throws ApiError `too_many_check_ins` */
export function createCheckInPace(clock: Clock): (schedule: string) => void {
  const pace = new TokenBuckets(clock, PACE);
  return (schedule) => {
    const retryAfterSeconds = pace.take(schedule);
    if (retryAfterSeconds === 0) return;
    const detail = 'A schedule accepts 30 check-ins at once, and then one a second.';
    throw new ApiError(SCHEDULE_ERRORS.too_many_check_ins, detail, { retryAfterSeconds });
  };
}
