import type { Command } from 'commander';
import { type Config, readConfig } from '../config.ts';
import { inTransaction, type Pool } from '../database/database.ts';
import { isUndefinedTable } from '../database/sql-state.ts';
import { type Clock, systemClock } from '../platform/clock.ts';
import { CommandError } from '../platform/command-error.ts';
import { isoTime } from '../platform/time.ts';
import { findUserByEmail } from '../tenancy/accounts/queries.ts';
import { recordChange } from '../tenancy/audit/record-change.ts';
import { dashboardLink } from '../tenancy/dashboard-link.ts';
import { normalizeEmail } from '../tenancy/email.ts';
import { findMembership } from '../tenancy/organizations/queries.ts';
import { issueRecoveryLink } from '../tenancy/recovery/issue-link.ts';
import { abortOnSignal } from './abort-on-signal.ts';
import type { Terminal } from './client/terminal.ts';
import { openDatabase } from './open-database.ts';

/** `tocsin reset-password EMAIL` */
export function defineResetPassword(program: Command, { environment, output, notes }: Terminal): void {
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
      const config = readConfig(environment);
      await abortOnSignal(async (signal) => {
        const { pool, close } = await openDatabase(
          config,
          'tocsin-reset-password',
          'beside, existing',
          signal,
        );
        try {
          const { link, expiresAt } = await makeOperatorLink(pool, systemClock, config, email);
          output.write(`${link}\n`);
          notes.write(`The link works once, until ${isoTime(expiresAt)}.\n`);
        } finally {
          await close();
        }
      });
    });
}

/** @throws CommandError for an unknown address, and for a database that is not migrated */
async function makeOperatorLink(
  pool: Pool,
  clock: Clock,
  { publicUrl, port }: Pick<Config, 'publicUrl' | 'port'>,
  email: string,
): Promise<{ link: string; expiresAt: Date }> {
  const user = await findUserByEmail(pool, normalizeEmail(email));
  const membership = user && (await findMembership(pool, user.id));
  if (!user || !membership) throw new CommandError(`No user has the address ${email}.`);
  try {
    const issued = await inTransaction({ pool, clock }, async (transaction) => {
      const link = await issueRecoveryLink(transaction, {
        userId: user.id,
        origin: 'operator',
        createdBy: null,
      });
      await recordChange(
        transaction,
        { organizationId: membership.organizationId, user },
        {
          action: 'account.recovery_link_printed',
          target: ['usr', user.id],
          before: null,
          after: null,
        },
      );
      return link;
    });
    if (!issued) throw new Error('The link of the operator was not created.');
    // Without a known public address, the operator is at the machine.
    const base = publicUrl ?? new URL(`http://localhost:${port}`);
    return { link: dashboardLink(base, 'reset', issued.token), expiresAt: issued.expiresAt };
  } catch (error) {
    if (!isUndefinedTable(error)) throw error;
    throw new CommandError('The database is older than this program: run tocsin migrate first.');
  }
}
