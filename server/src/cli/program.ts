import { Command } from 'commander';
import { systemClock } from '../platform/clock.ts';
import { readProgramVersion } from '../platform/version.ts';
import type { Terminal } from './client/terminal.ts';

interface CommandGroup {
  title: string;
  /** Loaders by name: each loads the modules of a command and adds it to the program. */
  commands: Record<string, () => Promise<void>>;
}

/**
 * Creates the program of all commands. Each of them sets `process.exitCode`, or throws what `runProgram` reports.
 * @param name name of the command to run, which alone is loaded; all of them if none has that name
 * @param streams streams of the commands that use a running service, and of those that print a result of the database
 */
export async function createProgram(
  environment: NodeJS.ProcessEnv,
  name?: string,
  streams: Omit<Terminal, 'environment'> = {
    input: process.stdin,
    output: process.stdout,
    notes: process.stderr,
  },
): Promise<Command> {
  const program = new Command('tocsin')
    .description('Self-hosted event monitoring: durable intake, and incidents that open by themselves.')
    .version(readProgramVersion(), '-V, --version', 'Print the version.')
    .showHelpAfterError();
  const groups = listCommands(program, { environment, ...streams });
  const isKnown = groups.some(({ commands }) => name !== undefined && Object.hasOwn(commands, name));
  for (const { title, commands } of groups) {
    program.commandsGroup(title);
    for (const [command, load] of Object.entries(commands)) {
      if (!isKnown || command === name) await load();
    }
  }
  return program;
}

function listCommands(program: Command, terminal: Terminal): CommandGroup[] {
  const { environment } = terminal;
  return [
    {
      title: 'Run the service:',
      commands: {
        start: async () => (await import('./start.ts')).defineStart(program, environment),
        restart: async () => (await import('./restart.ts')).defineRestart(program, environment),
        migrate: async () => (await import('./migrate.ts')).defineMigrate(program, environment),
        backup: async () => (await import('./backup.ts')).defineBackup(program, environment),
        restore: async () => (await import('./restore.ts')).defineRestore(program, environment),
        'accept-database': async () =>
          (await import('./accept-database.ts')).defineAcceptDatabase(program, terminal),
        retention: async () => (await import('./retention.ts')).defineRetention(program, environment),
        archive: async () => (await import('./archive.ts')).defineArchive(program, terminal),
        'reset-password': async () =>
          (await import('./reset-password.ts')).defineResetPassword(program, terminal),
        'reset-totp': async () => (await import('./reset-totp.ts')).defineResetTotp(program, terminal),
        'change-email': async () => (await import('./change-email.ts')).defineChangeEmail(program, terminal),
        'encrypt-again': async () =>
          (await import('./encrypt-again.ts')).defineEncryptAgain(program, terminal),
      },
    },
    {
      title: 'Use a running service:',
      commands: {
        login: async () => (await import('./client/login.ts')).defineLogin(program, terminal),
        logout: async () => (await import('./client/login.ts')).defineLogout(program, terminal),
        events: async () => (await import('./client/events.ts')).defineEvents(program, terminal, systemClock),
        incidents: async () => (await import('./client/incidents.ts')).defineIncidents(program, terminal),
        groups: async () => (await import('./client/groups.ts')).defineGroups(program, terminal, systemClock),
        'dead-letters': async () =>
          (await import('./client/dead-letters.ts')).defineDeadLetters(program, terminal),
        silence: async () =>
          (await import('./client/silences.ts')).defineSilences(program, terminal, systemClock),
        send: async () => (await import('./send.ts')).defineSend(program, environment),
      },
    },
    {
      title: 'Try out:',
      commands: {
        risk: async () => (await import('./risk.ts')).defineRisk(program),
        clients: async () => (await import('./clients.ts')).defineClients(program, terminal),
      },
    },
  ];
}
