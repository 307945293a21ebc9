import { type Static, Type } from 'typebox';
import { MailLimits } from '../../mail/mail-limits.ts';
import type { MailQueue } from '../../mail/mail-queue.ts';
import { plainName } from '../../mail/plain-name.ts';
import type { SendMail } from '../../mail/send-mail.ts';
import type { Clock } from '../../platform/clock.ts';
import { HOUR_MS } from '../../platform/durations.ts';
import { dashboardLink } from '../dashboard-link.ts';

export const InvitationMailState = Type.Enum(['none', 'sending', 'limited'], {
  description:
    '`sending`: the link goes to `email` as well. `none`: without an address, or the service sends no mail. `limited`: the organization has sent 20 within an hour, or the address has got 3: pass the link on yourself.',
});

interface InvitationMailDependencies {
  queue: MailQueue;
  sendMail: SendMail;
  publicUrl: URL;
  clock: Clock;
}

interface MailedInvitation {
  email: string;
  token: string;
  organization: { id: string; name: string };
  inviterName: string;
  expiresAt: Date;
}

/**
 * Sends the links of invitations. Names are chosen by users, who may have signed up to abuse it: no mail has them in
 * its subject, nor as a link, and few are sent.
 */
export class InvitationMail {
  readonly #dependencies: InvitationMailDependencies;
  readonly #limits: MailLimits;

  constructor(dependencies: InvitationMailDependencies) {
    this.#dependencies = dependencies;
    this.#limits = new MailLimits(dependencies.clock, HOUR_MS);
  }

  /** Sends the mail after the answer to the request. */
  send(invitation: MailedInvitation): Static<typeof InvitationMailState> {
    const { email, organization } = invitation;
    const { queue, sendMail, publicUrl } = this.#dependencies;
    if (this.#limits.take(organization.id, email) > 0) return 'limited';
    const isWaiting = queue.add(() =>
      sendMail({
        to: email,
        subject: 'An invitation to Tocsin',
        text: invitationText(invitation, publicUrl),
      }),
    );
    return isWaiting ? 'sending' : 'limited';
  }
}

export function invitationText(
  { inviterName, organization, expiresAt, token }: MailedInvitation,
  publicUrl: URL,
): string {
  const until = `${expiresAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return [
    `${plainName(inviterName)} invited you to the organization “${plainName(organization.name)}” in Tocsin at ${publicUrl.host}.`,
    `Open this link to join. It works once, until ${until}:`,
    dashboardLink(publicUrl, 'join', token),
    'Not expecting this? Ignore this email. Nothing changes unless you open the link and accept.',
  ].join('\n\n');
}
