import type { Command } from 'commander';
import { readConfig } from '../config.ts';
import { isUndefinedTable } from '../database/sql-state.ts';
import { encryptAgain } from '../maintenance/encrypt-again.ts';
import { CommandError } from '../platform/command-error.ts';
import { Encryption } from '../platform/encryption/encryption.ts';
import { findKeys } from '../roles/encryption-keys.ts';
import { abortOnSignal } from './abort-on-signal.ts';
import type { Terminal } from './client/terminal.ts';
import { openDatabase } from './open-database.ts';

/** `tocsin encrypt-again` */
export function defineEncryptAgain(program: Command, { environment, output, notes }: Terminal): void {
  program
    .command('encrypt-again')
    .description('Encrypt stored secrets with the first key of ENCRYPTION_KEY.')
    .addHelpText(
      'after',
      `
After a new key was put before the old one. The service does it by itself while it runs; this command says when it is done,
so that the old key can be removed.

Example:
  $ tocsin encrypt-again`,
    )
    .action(async () => {
      const config = readConfig(environment);
      const encryption = new Encryption(await findKeys(config));
      if (!encryption.hasKey)
        throw new CommandError('ENCRYPTION_KEY is not set: there is nothing to encrypt with.');
      await abortOnSignal(async (signal) => {
        const { pool, close } = await openDatabase(
          config,
          'tocsin-encrypt-again',
          'beside, existing',
          signal,
        );
        try {
          const { renewed, unreadable } = await encryptAgain(pool, encryption);
          output.write(`${renewed} encrypted with the first key, ${unreadable} unreadable.\n`);
          notes.write(
            unreadable === 0
              ? 'Further keys in ENCRYPTION_KEY are no longer needed.\n'
              : 'Unreadable secrets were encrypted with a missing key, and must be entered again.\n',
          );
        } catch (error) {
          if (!isUndefinedTable(error)) throw error;
          throw new CommandError('The database is older than this program: run tocsin migrate first.');
        } finally {
          await close();
        }
      });
    });
}
