import { Type } from 'typebox';
import { addressKey } from '../../http/client-address.ts';
import { routesOf } from '../../http/route.ts';
import type { PasswordDependencies } from '../accounts/confirm-password.ts';
import { Message } from '../accounts/schema.ts';
import type { AddressLimit } from '../address-limit.ts';
import { sessionOf } from '../session.ts';
import { confirmEmailChange, requestEmailChange } from './change-email.ts';
import type { EmailChangeMail } from './email-change-mail.ts';
import { EmailChange, EmailConfirmation } from './schema.ts';

interface EmailDependencies extends PasswordDependencies {
  /** Null: the service sends no mail. */
  emailChangeMail: EmailChangeMail | null;
}

const route = routesOf<EmailDependencies>('Accounts');
const open = routesOf<EmailDependencies & { limit: AddressLimit }>('Accounts');

export const emailRoutes = [
  route.post('/auth/email', {
    summary: 'Ask for another email address',
    description:
      'Mails a link to it; until it is confirmed the present one stays. The answer is the same if another account has the address. At most 3 mails an hour to an address, and 20 of an organization.',
    body: EmailChange,
    answer: Message,
    status: 202,
    handle: async (request, { emailChangeMail: mail, ...dependencies }) => {
      const input = { ...request.body, address: addressKey(request.ip) };
      await requestEmailChange({ ...dependencies, mail }, sessionOf(request), input);
      return {
        message: 'If no other account uses this address, we’ve sent a link. Check your spam folder.',
      };
    },
  }),
];

export const publicEmailRoutes = [
  open.post('/auth/email/confirm', {
    summary: 'Confirm a new email address by its link',
    description:
      'Needs no session: the link may be opened in another browser. Sessions and access tokens go on; a mail tells the former address.',
    security: [],
    body: EmailConfirmation,
    answer: Type.Object({ email: Type.String() }),
    handle: async (request, { emailChangeMail, limit, ...store }) => {
      limit(request);
      const { email, former } = await confirmEmailChange(store, request.body.token);
      emailChangeMail?.notifyFormer(former);
      return { email };
    },
  }),
];
