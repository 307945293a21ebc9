import { Argument, type Command, InvalidArgumentError } from 'commander';
import { copyDatabase } from '../backup/copy-database.ts';
import { ROLE_NAMES, type RoleName } from '../roles/role-names.ts';

/** `tocsin start [roles...]` */
export function defineStart(program: Command, environment: NodeJS.ProcessEnv): void {
  program
    .command('start')
    .description('Start the service: all roles, or the ones named.')
    .addArgument(new Argument('[roles...]', ROLE_NAMES.join(', ')).argParser(parseRole))
    .addHelpText(
      'after',
      `
The configuration is read from the environment.

Examples:
  $ tocsin start
  $ DATABASE_URL=postgres://tocsin@db/tocsin tocsin start ingestion worker`,
    )
    .action(async (roles: RoleName[] | undefined) => {
      // The service is most of the program: a client command does not wait for it to be loaded.
      const { start } = await import('../roles/start.ts');
      // Remains of an interrupted start must not delay the exit.
      process.exit(await start(roles?.length ? roles : [...ROLE_NAMES], environment, copyDatabase));
    });
}

function parseRole(text: string, previous: RoleName[] | undefined): RoleName[] {
  const role = ROLE_NAMES.find((name) => name === text);
  if (!role) throw new InvalidArgumentError(`Roles are ${ROLE_NAMES.join(', ')}.`);
  return [...new Set([...(previous ?? []), role])];
}
