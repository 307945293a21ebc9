import { Argument, Command, InvalidArgumentError } from 'commander';
import { ROLE_NAMES, type RoleName } from './roles/role.ts';
import { start } from './roles/start.ts';

const program = new Command('tocsin')
  .description('Self-hosted event monitoring: durable intake, and incidents that open by themselves.')
  .showHelpAfterError();

program
  .command('start')
  .description('Start the service: all roles, or the ones named.')
  .addArgument(new Argument('[roles...]', 'management, ingestion, worker').argParser(parseRole))
  .action(async (roles: RoleName[] | undefined) => {
    process.exitCode = await start(roles?.length ? roles : [...ROLE_NAMES], process.env);
  });

function parseRole(text: string, previous: RoleName[] | undefined): RoleName[] {
  const role = ROLE_NAMES.find((name) => name === text);
  if (!role) throw new InvalidArgumentError(`Roles are ${ROLE_NAMES.join(', ')}.`);
  return [...new Set([...(previous ?? []), role])];
}

await program.parseAsync();
