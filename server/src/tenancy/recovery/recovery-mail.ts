import { inTransaction, type Store } from '../../database/database.ts';
import type { MailQueue } from '../../mail/mail-queue.ts';
import type { SendMail } from '../../mail/send-mail.ts';
import { toId } from '../../platform/ids.ts';
import type { Log } from '../../platform/log.ts';
import { findUserByEmail, lockUser } from '../accounts/queries.ts';
import { dashboardLink } from '../dashboard-link.ts';
import { normalizeEmail } from '../email.ts';
import { issueRecoveryLink } from './issue-link.ts';

export interface RecoveryMailDependencies extends Store {
  queue: MailQueue;
  sendMail: SendMail;
  publicUrl: URL;
  log: Log;
}

/**
 * Sends mail about passwords after the answers to the requests for it: neither an answer nor its duration reveals if
 * an account exists.
 */
export class RecoveryMail {
  readonly #dependencies: RecoveryMailDependencies;

  constructor(dependencies: RecoveryMailDependencies) {
    this.#dependencies = dependencies;
  }

  /** Sends a link to the account with this address, if there is one. */
  requestLink(address: string): void {
    this.#dependencies.queue.add(async () => {
      const { pool, clock, publicUrl, sendMail } = this.#dependencies;
      const user = await findUserByEmail(pool, normalizeEmail(address));
      if (!user) return;
      const link = await inTransaction({ pool, clock }, async (transaction) => {
        // It may have got another address during the wait for the lock.
        if ((await lockUser(transaction, user.id))?.email !== user.email) return 'changed';
        return issueRecoveryLink(transaction, { userId: user.id, origin: 'mail', createdBy: null });
      });
      if (link === 'changed') return;
      if (!link) {
        this.#dependencies.log.info({ userId: toId('usr', user.id) }, 'too many mails with recovery links');
        return;
      }
      await sendMail({
        to: user.email,
        subject: 'Set a new password for Tocsin',
        text: [
          `Someone asked for a new password for your Tocsin account (${user.email}) at ${publicUrl.host}.`,
          'Open this link within 30 minutes to set one. It works once:',
          dashboardLink(publicUrl, 'reset', link.token),
          'If it wasn’t you, ignore this email. Your password stays the same.',
        ].join('\n\n'),
      });
    });
  }

  /** Notifies the user of an account that its password was changed by a link. */
  notifyOfReset(address: string): void {
    this.#notify(address, 'Your Tocsin password was changed', [
      'Your Tocsin password was just changed with a recovery link, and all your sessions have ended.',
      'If it wasn’t you, tell an owner of your organization or the person who runs the service right away.',
    ]);
  }

  /** Notifies a member that an OWNER created a link. */
  notifyOfLink(address: string, owner: string): void {
    this.#notify(address, 'A password reset link was created for your Tocsin account', [
      `${owner} created a password reset link for your Tocsin account.`,
      'Anyone with the link can change your password. If you didn’t ask for it, talk to them.',
    ]);
  }

  #notify(address: string, subject: string, paragraphs: string[]): void {
    const { sendMail, publicUrl } = this.#dependencies;
    this.#dependencies.queue.add(async () => {
      await sendMail({ to: address, subject, text: [...paragraphs, publicUrl.origin].join('\n\n') });
    });
  }
}
