import type { Command } from 'commander';
import { FORMATS } from '../http/validation.ts';
import { CommandError } from '../platform/command-error.ts';
import { ApiError } from '../platform/errors.ts';
import { normalizeEmail } from '../tenancy/email.ts';
import { setEmail } from '../tenancy/recovery/change-email.ts';
import { changeAccount } from './change-account.ts';
import type { Terminal } from './client/terminal.ts';

/** `tocsin change-email EMAIL NEW` */
export function defineChangeEmail(program: Command, terminal: Terminal): void {
  program
    .command('change-email')
    .description('Change the address that a user logs in with.')
    .argument('<email>', 'the present address')
    .argument('<new>', 'the new one, which no other user may have')
    .addHelpText(
      'after',
      `
For a service without mail, where users cannot confirm a new address themselves. Password, sessions and access tokens stay
as they are, and the audit log says what was done. Notification targets keep the address they name; one that names the
new address must be confirmed by the email that it gets, since nothing shows yet that it is the user's.

Example:
  $ tocsin change-email ada@example.com ada@lovelace.example`,
    )
    .action(async (email: string, text: string) => {
      const next = normalizeEmail(text);
      if (!FORMATS['email-address']?.check(next)) throw new CommandError(`${text} is no email address.`);
      // Setting it again would only make a verified address an unverified one.
      if (next === normalizeEmail(email)) throw new CommandError('The two addresses are the same.');
      await changeAccount(terminal, { command: 'change-email', email }, async (transaction, { user }) => {
        try {
          await setEmail(transaction, user.id, { email: next, verifiedAt: null, confirmedBy: 'operator' });
        } catch (error) {
          throw error instanceof ApiError ? new CommandError(error.message) : error;
        }
      });
      terminal.notes.write(`The user logs in with ${next} from now on.\n`);
    });
}
