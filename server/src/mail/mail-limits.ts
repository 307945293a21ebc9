import type { Clock } from '../platform/clock.ts';
import { HOUR_MS } from '../platform/durations.ts';
import { RateWindows } from '../platform/rate-windows.ts';

const MAX_MAILS_AN_HOUR = 20;
const MAX_MAILS_TO_ADDRESS = 3;
const MAX_KEYS = 10_000;

/**
 * Limits the mails of one kind that users have sent to addresses of their choice, in this process: 20 an hour of an
 * organization, and 3 in a period to an address, whichever organizations send them.
 */
export class MailLimits {
  readonly #ofOrganization: RateWindows;
  readonly #toAddress: RateWindows;

  constructor(clock: Clock, addressPeriodMs: number) {
    const windowsOf = (count: number, periodMs: number) =>
      new RateWindows(clock, { count, periodMs, maxKeys: MAX_KEYS });
    this.#ofOrganization = windowsOf(MAX_MAILS_AN_HOUR, HOUR_MS);
    this.#toAddress = windowsOf(MAX_MAILS_TO_ADDRESS, addressPeriodMs);
  }

  /** Takes the right to send one mail. @returns 0, or in how many seconds there is one */
  take(organizationId: string, address: string): number {
    return this.#toAddress.take(address) || this.#ofOrganization.take(organizationId);
  }
}
