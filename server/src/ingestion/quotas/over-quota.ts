import { ApiError } from '../../platform/errors.ts';
import { isoTime } from '../../platform/time.ts';
import type { Quota } from '../../tenancy/api-keys/quota.ts';
import { INTAKE_ERRORS } from '../intake/errors.ts';

export type QuotaScope = 'project' | 'key';

/** Limit of a window of time that is used up. */
interface UsedLimit {
  scope: QuotaScope;
  name: keyof Quota;
  events: number;
  /** End of the window, in milliseconds. */
  endMs: number;
}

const PERIODS: Record<keyof Quota, string> = {
  per5Minutes: 'in 5 minutes',
  perHour: 'an hour',
  perDay: 'a day',
};

/** Refusal of events beyond a quota. */
export class OverQuota extends ApiError {
  readonly scope: QuotaScope;
  readonly retryAfterSeconds: number;

  constructor({ scope, name, events, endMs }: UsedLimit, nowMs: number) {
    const retryAfterSeconds = Math.max(1, Math.ceil((endMs - nowMs) / 1_000));
    super(
      INTAKE_ERRORS.over_quota,
      `The ${scope} has used up its quota of ${events.toLocaleString('en-US')} events ${PERIODS[name]}. Events are accepted again from ${isoTime(endMs)} on.`,
      { retryAfterSeconds },
    );
    this.scope = scope;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
