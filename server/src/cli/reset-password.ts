import type { Command } from 'commander';
import type { Transaction } from '../database/database.ts';
import { isoTime } from '../platform/time.ts';
import { type Actor, recordChange } from '../tenancy/audit/record-change.ts';
import { dashboardLink } from '../tenancy/dashboard-link.ts';
import { type IssuedLink, issueRecoveryLink } from '../tenancy/recovery/issue-link.ts';
import { changeAccount } from './change-account.ts';
import type { Terminal } from './client/terminal.ts';

/** `tocsin reset-password EMAIL` */
export function defineResetPassword(program: Command, terminal: Terminal): void {
  program
    .command('reset-password')
    .description('Print a link by which a user sets a new password.')
    .argument('<email>', 'the address that the user logs in with')
    .addHelpText(
      'after',
      `
The link works once, for 30 minutes, for every user: also for the last OWNER, and without mail. It replaces an earlier
one, ends with any change of the password, and stands in the audit log. A second factor is asked for as before.

Example:
  $ tocsin reset-password ada@example.com`,
    )
    .action(async (email: string) => {
      const { link, expiresAt } = await changeAccount(
        terminal,
        { command: 'reset-password', email },
        async (transaction, actor, { publicUrl, port }) => {
          const issued = await issueOperatorLink(transaction, actor);
          // Without a known public address, the operator is at the machine.
          const base = publicUrl ?? new URL(`http://localhost:${port}`);
          return { link: dashboardLink(base, 'reset', issued.token), expiresAt: issued.expiresAt };
        },
      );
      terminal.output.write(`${link}\n`);
      terminal.notes.write(`The link works once, until ${isoTime(expiresAt)}.\n`);
    });
}

async function issueOperatorLink(transaction: Transaction, actor: Actor): Promise<IssuedLink> {
  const userId = actor.user.id;
  const link = await issueRecoveryLink(transaction, { userId, origin: 'operator', createdBy: null });
  if (!link) throw new Error('The link of the operator was not created.');
  await recordChange(transaction, actor, {
    action: 'account.recovery_link_printed',
    target: ['usr', userId],
    before: null,
    after: null,
  });
  return link;
}
