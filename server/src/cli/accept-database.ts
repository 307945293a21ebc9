import type { Command } from 'commander';
import { readConfig } from '../config.ts';
import { upsertAcceptance } from '../database/position-queries.ts';
import { isUndefinedTable } from '../database/sql-state.ts';
import { systemClock } from '../platform/clock.ts';
import { CommandError } from '../platform/command-error.ts';
import { abortOnSignal } from './abort-on-signal.ts';
import type { Terminal } from './client/terminal.ts';
import { openDatabase } from './open-database.ts';

/** `tocsin accept-database` */
export function defineAcceptDatabase(program: Command, { environment, output }: Terminal): void {
  program
    .command('accept-database')
    .description('Accept the database as it is, although it went back in time.')
    .addHelpText(
      'after',
      `
After a snapshot was restored, or a failover lost commits. Processes report a database that has less than they have seen, and
refuse one on an earlier timeline: from now on they take it as it is, with the next connection.

Example, after a restored snapshot and before the service starts:
  $ tocsin accept-database`,
    )
    .action(async () => {
      const config = readConfig(environment);
      await abortOnSignal(async (signal) => {
        const { pool, close } = await openDatabase(
          config,
          'tocsin-accept-database',
          'beside, existing',
          signal,
        );
        try {
          await upsertAcceptance(pool, systemClock.now());
          output.write('The database is accepted as it is. Running processes take it within seconds.\n');
        } catch (error) {
          if (!isUndefinedTable(error)) throw error;
          throw new CommandError('The database is older than this program: run tocsin migrate first.');
        } finally {
          await close();
        }
      });
    });
}
