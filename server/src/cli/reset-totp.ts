import type { Command } from 'commander';
import { readConfig } from '../config.ts';
import { inTransaction, type Pool } from '../database/database.ts';
import { isUndefinedTable } from '../database/sql-state.ts';
import { type Clock, systemClock } from '../platform/clock.ts';
import { CommandError } from '../platform/command-error.ts';
import { findUserByEmail, lockUser } from '../tenancy/accounts/queries.ts';
import { recordChange } from '../tenancy/audit/record-change.ts';
import { normalizeEmail } from '../tenancy/email.ts';
import { findMembership } from '../tenancy/organizations/queries.ts';
import { deleteFactor, findFactor } from '../tenancy/second-factor/queries.ts';
import { abortOnSignal } from './abort-on-signal.ts';
import type { Terminal } from './client/terminal.ts';
import { openDatabase } from './open-database.ts';

/** `tocsin reset-totp EMAIL` */
export function defineResetTotp(program: Command, { environment, notes }: Terminal): void {
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
      const config = readConfig(environment);
      await abortOnSignal(async (signal) => {
        const { pool, close } = await openDatabase(config, 'tocsin-reset-totp', 'beside, existing', signal);
        try {
          await turnOffTotp(pool, systemClock, email);
          notes.write('Two-factor authentication is off: logins need only the password.\n');
        } finally {
          await close();
        }
      });
    });
}

/** @throws CommandError for an unknown address, for a user without it, and for a database that is not migrated */
async function turnOffTotp(pool: Pool, clock: Clock, email: string): Promise<void> {
  const user = await findUserByEmail(pool, normalizeEmail(email));
  const membership = user && (await findMembership(pool, user.id));
  if (!user || !membership) throw new CommandError(`No user has the address ${email}.`);
  try {
    await inTransaction({ pool, clock }, async (transaction) => {
      await lockUser(transaction, user.id);
      const factor = await findFactor(transaction, user.id);
      if (!factor?.activatedAt) throw new CommandError(`${email} does not use two-factor authentication.`);
      await deleteFactor(transaction, user.id);
      await recordChange(
        transaction,
        { organizationId: membership.organizationId, user },
        { action: 'account.totp_reset', target: ['usr', user.id], before: null, after: null },
      );
    });
  } catch (error) {
    if (!isUndefinedTable(error)) throw error;
    throw new CommandError('The database is older than this program: run tocsin migrate first.');
  }
}
