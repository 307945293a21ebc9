import type { Clock } from '../../platform/clock.ts';
import { HOUR_MS, MINUTE_MS } from '../../platform/durations.ts';
import { ApiError } from '../../platform/errors.ts';
import { KeyedQueue } from '../../platform/keyed-queue.ts';
import { RateWindows } from '../../platform/rate-windows.ts';
import { NOTIFICATION_ERRORS } from '../errors.ts';

const PER_MINUTE = 5;
const PER_HOUR = 20;
const MAX_RUNNING = 4;
/** About as long as a test without an answer takes. */
const RETRY_RUNNING_SECONDS = 15;
const MAX_KEYS = 10_000;

/**
 * Limits test messages in this process: 5 a minute of a target or browser, 20 an hour and 4 at a time of an
 * organization. Each is a request to an address that a user chose: without a limit the service could be used to flood
 * it.
 */
export class TestLimits {
  readonly #ofTarget: RateWindows;
  readonly #ofOrganization: RateWindows;
  readonly #queue = new KeyedQueue({
    maxRunning: Infinity,
    maxRunningPerKey: MAX_RUNNING,
    maxWaiting: 0,
  });

  constructor(clock: Clock) {
    const windowsOf = (count: number, periodMs: number) =>
      new RateWindows(clock, { count, periodMs, maxKeys: MAX_KEYS });
    this.#ofTarget = windowsOf(PER_MINUTE, MINUTE_MS);
    this.#ofOrganization = windowsOf(PER_HOUR, HOUR_MS);
  }

  /**
   * @param testedId UUID of the target or browser
   * @throws ApiError `too_many_tests`, before `test` has begun
   */
  run<T>(organizationId: string, testedId: string, test: () => Promise<T>): Promise<T> {
    const refuse = () =>
      refusal(`Your organization can send ${MAX_RUNNING} tests at a time.`, RETRY_RUNNING_SECONDS);
    return this.#queue.run({ key: organizationId, refuse }, async () => {
      this.#assertAllowed(organizationId, testedId);
      return test();
    });
  }

  #assertAllowed(organizationId: string, testedId: string): void {
    const ofTarget = this.#ofTarget.take(testedId);
    if (ofTarget > 0) throw refusal(`You can send ${PER_MINUTE} tests a minute to one target.`, ofTarget);
    const ofOrganization = this.#ofOrganization.take(organizationId);
    if (ofOrganization > 0)
      throw refusal(`Your organization can send ${PER_HOUR} tests an hour.`, ofOrganization);
  }
}

function refusal(sentence: string, retryAfterSeconds: number): ApiError {
  return new ApiError(
    NOTIFICATION_ERRORS.too_many_tests,
    `${sentence} Try again in ${retryAfterSeconds} seconds.`,
    {
      retryAfterSeconds,
    },
  );
}
