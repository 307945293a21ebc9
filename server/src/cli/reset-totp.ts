import type { Command } from 'commander';
import { CommandError } from '../platform/command-error.ts';
import { lockUser } from '../tenancy/accounts/queries.ts';
import { recordChange } from '../tenancy/audit/record-change.ts';
import { deleteFactor, findFactor } from '../tenancy/second-factor/queries.ts';
import { changeAccount } from './change-account.ts';
import type { Terminal } from './client/terminal.ts';

/** `tocsin reset-totp EMAIL` */
export function defineResetTotp(program: Command, terminal: Terminal): void {
  program
    .command('reset-totp')
    .description('Turn off two-factor authentication of a user.')
    .argument('<email>', 'the address that the user logs in with')
    .addHelpText(
      'after',
      `
For a user who has lost the authenticator app and the recovery codes, also the last OWNER. The password stays as it is, and
the audit log says what was done.

Example:
  $ tocsin reset-totp ada@example.com`,
    )
    .action(async (email: string) => {
      await changeAccount(terminal, { command: 'reset-totp', email }, async (transaction, actor) => {
        const userId = actor.user.id;
        await lockUser(transaction, userId);
        const factor = await findFactor(transaction, userId);
        if (!factor?.activatedAt) throw new CommandError(`${email} does not use two-factor authentication.`);
        await deleteFactor(transaction, userId);
        await recordChange(transaction, actor, {
          action: 'account.totp_reset',
          target: ['usr', userId],
          before: null,
          after: null,
        });
      });
      terminal.notes.write('Two-factor authentication is off: logins need only the password.\n');
    });
}
