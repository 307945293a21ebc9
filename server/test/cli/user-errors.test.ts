import { EmbeddedPostgresError } from '@tocsin/embedded-postgres';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/cli/open-database.ts';
import { createProgram } from '../../src/cli/program.ts';
import { formatUserError } from '../../src/cli/user-errors.ts';
import { readConfig } from '../../src/config.ts';
import { MigrationError } from '../../src/database/migrations.ts';
import { RefusedServerError } from '../../src/database/position-watch.ts';
import { ArchiveError } from '../../src/events/archive/archive-error.ts';
import { ListenError } from '../../src/http/listen.ts';
import { createNewDatabase, withPool } from './support.ts';

async function errorOf(work: Promise<unknown>): Promise<Error> {
  return work.then(
    () => new Error('There was none.'),
    (error: Error) => error,
  );
}

describe('an error of a command', async () => {
  const url = await createNewDatabase();

  it('prints only the message of an error that a person can act on', () => {
    for (const error of [
      new ArchiveError('The archive does not answer.'),
      new ListenError('Port 4000 is in use.'),
      new MigrationError('The migration failed.'),
      new RefusedServerError('earlier'),
      new EmbeddedPostgresError('already_running', 'Tocsin already runs.'),
    ]) {
      expect(formatUserError(error)).toBe(error.message);
    }
  });

  it('prints the stack of an error that is a bug of the program', () => {
    expect(formatUserError(new TypeError('undefined is not a function'))).toBeNull();
    expect(formatUserError('a text')).toBeNull();
  });

  it('names the faults of the configuration without its values', async () => {
    const program = await createProgram({ DATABASE_URL: 'mysql://user:secret@host/db' });
    const error = await errorOf(program.parseAsync(['migrate'], { from: 'user' }));
    expect(formatUserError(error)).toMatch(/DATABASE_URL must be/);
    expect(formatUserError(error)).not.toMatch(/secret/);
  });

  it('reports an unreachable database with its address, and without the password', async () => {
    const config = readConfig({ DATABASE_URL: 'postgres://user:secret@127.0.0.1:1/shop' });
    const { signal } = new AbortController();
    const said = formatUserError(await errorOf(openDatabase(config, 'tocsin-migrate', 'beside', signal)));
    expect(said).toMatch(
      /^The database at 127\.0\.0\.1:1\/shop cannot be reached: connect ECONNREFUSED .+\. Check DATABASE_URL/,
    );
    expect(said).not.toMatch(/secret/);
  });

  it('reports what the database refuses, unless the query itself is wrong', async () => {
    await withPool(url, 'reader', async (pool) => {
      const readOnly = await errorOf(pool.query('BEGIN READ ONLY; CREATE TABLE t ()'));
      expect(formatUserError(readOnly)).toMatch(/^The database refuses: cannot execute CREATE TABLE .*25006/);
      await pool.query('ROLLBACK');
      expect(formatUserError(await errorOf(pool.query('SELEKT')))).toBeNull();
    });
  });
});

describe('the command line', () => {
  it('describes every command and gives an example for it', async () => {
    const program = await createProgram({});
    expect(program.commands.map((command) => command.name())).toEqual([
      'start',
      'restart',
      'migrate',
      'backup',
      'restore',
      'accept-database',
      'retention',
      'archive',
      'reset-password',
      'reset-totp',
      'change-email',
      'encrypt-again',
      'login',
      'logout',
      'events',
      'incidents',
      'groups',
      'dead-letters',
      'silence',
      'send',
      'risk',
      'clients',
    ]);
    // A command that only groups others is documented by them.
    const commands = program.commands.flatMap((command) =>
      command.commands.length > 0 ? command.commands : [command],
    );
    for (const command of commands) {
      let help = '';
      command.configureOutput({ writeOut: (text) => (help += text) });
      command.outputHelp();
      expect(help).toMatch(/Example/);
      expect(help).toMatch(
        new RegExp(
          `\\$ .*tocsin (?:(?:archive|risk|incidents|groups|silence|dead-letters) )?${command.name()}`,
        ),
      );
    }
  });

  it('loads only the command that is run, and all commands for an unknown name', async () => {
    const namesOf = async (name: string) =>
      (await createProgram({}, name)).commands.map((command) => command.name());
    const all = (await createProgram({})).commands.map((command) => command.name());
    for (const name of all) expect(await namesOf(name)).toEqual([name]);
    for (const name of ['--help', 'help', 'bakcup', 'constructor']) expect(await namesOf(name)).toEqual(all);
  });

  it('prints the version of the program', async () => {
    expect((await createProgram({})).version()).toMatch(/^\d+\.\d+\.\d+/);
  });
});
