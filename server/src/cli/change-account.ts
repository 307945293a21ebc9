import { type Config, readConfig } from '../config.ts';
import { inTransaction, type Transaction } from '../database/database.ts';
import { isUndefinedTable } from '../database/sql-state.ts';
import { systemClock } from '../platform/clock.ts';
import { CommandError } from '../platform/command-error.ts';
import { findUserByEmail } from '../tenancy/accounts/queries.ts';
import type { Actor } from '../tenancy/audit/record-change.ts';
import { normalizeEmail } from '../tenancy/email.ts';
import { findMembership } from '../tenancy/organizations/queries.ts';
import { abortOnSignal } from './abort-on-signal.ts';
import type { Terminal } from './client/terminal.ts';
import { openDatabase } from './open-database.ts';

/**
 * Changes an account in the database, also of the last OWNER and beside a running service.
 * @param change in a transaction; the user is the actor of what it records
 * @throws CommandError for an unknown address, and for a database that is not migrated
 */
export async function changeAccount<T>(
  { environment }: Pick<Terminal, 'environment'>,
  { command, email }: { command: string; email: string },
  change: (transaction: Transaction, actor: Actor, config: Config) => Promise<T>,
): Promise<T> {
  const config = readConfig(environment);
  return abortOnSignal(async (signal) => {
    const { pool, close } = await openDatabase(config, `tocsin-${command}`, 'beside, existing', signal);
    try {
      const user = await findUserByEmail(pool, normalizeEmail(email));
      const membership = user && (await findMembership(pool, user.id));
      if (!user || !membership) throw new CommandError(`No user has the address ${email}.`);
      const actor = { organizationId: membership.organizationId, user };
      return await inTransaction({ pool, clock: systemClock }, (transaction) =>
        change(transaction, actor, config),
      );
    } catch (error) {
      if (!isUndefinedTable(error)) throw error;
      throw new CommandError('The database is older than this program: run tocsin migrate first.');
    } finally {
      await close();
    }
  });
}
