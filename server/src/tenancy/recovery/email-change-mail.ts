import type { Queryable } from '../../database/database.ts';
import { MailLimits } from '../../mail/mail-limits.ts';
import type { MailQueue } from '../../mail/mail-queue.ts';
import type { SendMail } from '../../mail/send-mail.ts';
import type { Clock } from '../../platform/clock.ts';
import { HOUR_MS } from '../../platform/durations.ts';
import { findUserByEmail } from '../accounts/queries.ts';
import { dashboardLink } from '../dashboard-link.ts';

interface EmailChangeMailDependencies {
  pool: Queryable;
  queue: MailQueue;
  sendMail: SendMail;
  publicUrl: URL;
  clock: Clock;
}

/**
 * Sends mail about a new address after the answers to the requests for it. No mail has a text of users: every account
 * can have it sent to any address.
 */
export class EmailChangeMail {
  readonly #dependencies: EmailChangeMailDependencies;
  readonly #limits: MailLimits;

  constructor(dependencies: EmailChangeMailDependencies) {
    this.#dependencies = dependencies;
    this.#limits = new MailLimits(dependencies.clock, HOUR_MS);
  }

  /** Takes the right to send one mail. @returns 0, or in how many seconds there is one */
  take(organizationId: string, address: string): number {
    return this.#limits.take(organizationId, address);
  }

  /** Sends the link to the new address; where another account has it, a mail says so there, and no link is sent. */
  ask(address: string, token: string): void {
    const { pool, publicUrl } = this.#dependencies;
    const { host } = publicUrl;
    this.#send(address, 'Confirm your new address for Tocsin', async () =>
      (await findUserByEmail(pool, address))
        ? [
            `Someone wanted to use this address for another Tocsin account at ${host}. Your account already has it, so nothing has changed.`,
            'If it was you, log in with this address, or change that of this account first.',
          ]
        : [
            `Someone wants to use this address for their Tocsin account at ${host}.`,
            'If it was you, open this link within 30 minutes and confirm. It works once:',
            dashboardLink(publicUrl, 'confirm', token),
            'If it wasn’t you, ignore this message: nothing changes.',
          ],
    );
  }

  /** Notifies the former address of the change. */
  notifyFormer(address: string): void {
    this.#send(address, 'The address of your Tocsin account was changed', async () => [
      'Your Tocsin account has another email address now, and no longer this one.',
      'Notification targets that name this address keep sending to it.',
      'If it wasn’t you, tell an owner of your organization or the person who runs the service at once.',
      this.#dependencies.publicUrl.origin,
    ]);
  }

  #send(to: string, subject: string, paragraphs: () => Promise<string[]>): void {
    const { queue, sendMail } = this.#dependencies;
    queue.add(async () => sendMail({ to, subject, text: (await paragraphs()).join('\n\n') }));
  }
}
