import type { Queryable } from '../../database/database.ts';
import { MailLimits } from '../../mail/mail-limits.ts';
import type { MailQueue } from '../../mail/mail-queue.ts';
import type { SendMail } from '../../mail/send-mail.ts';
import type { Clock } from '../../platform/clock.ts';
import { DAY_MS } from '../../platform/durations.ts';
import { dashboardLink } from '../../tenancy/dashboard-link.ts';
import { generateSecret } from '../../tenancy/secret-format.ts';
import { upsertAsked } from './queries.ts';

const VALID_DAYS = 7;

interface ConfirmationMailDependencies {
  pool: Queryable;
  queue: MailQueue;
  sendMail: SendMail;
  publicUrl: URL;
  clock: Clock;
}

/**
 * Asks addresses if they want messages. The mail has no text of users, neither a name nor an address of theirs: every
 * account can have it sent to any address.
 */
export class ConfirmationMail {
  readonly #dependencies: ConfirmationMailDependencies;
  readonly #limits: MailLimits;

  constructor(dependencies: ConfirmationMailDependencies) {
    this.#dependencies = dependencies;
    this.#limits = new MailLimits(dependencies.clock, DAY_MS);
  }

  /**
   * Sends the mail after the answer to the request.
   * @param address normalized
   * @returns 0, or in how many seconds it may be sent
   */
  async ask(organizationId: string, address: string): Promise<number> {
    const { pool, queue, sendMail, publicUrl, clock } = this.#dependencies;
    const waitSeconds = this.#limits.take(organizationId, address);
    if (waitSeconds > 0) return waitSeconds;
    const { secret, hash } = generateSecret('tsn_adr_');
    const nowMs = clock.now();
    const expiresAt = new Date(nowMs + VALID_DAYS * DAY_MS);
    await upsertAsked(pool, organizationId, { address, hash, at: new Date(nowMs), expiresAt });
    const text = confirmationText(secret, publicUrl);
    const isWaiting = queue.add(() =>
      sendMail({ to: address, subject: 'Confirm your address for Tocsin', text }),
    );
    return isWaiting ? 0 : 60;
  }
}

function confirmationText(token: string, publicUrl: URL): string {
  return [
    `An organization using Tocsin at ${publicUrl.host} wants to send notifications to this address.`,
    `If you want them, open this link within ${VALID_DAYS} days and confirm:`,
    dashboardLink(publicUrl, 'confirm', token),
    'Not expecting this? Ignore this email. You get no notifications unless you confirm.',
  ].join('\n\n');
}
