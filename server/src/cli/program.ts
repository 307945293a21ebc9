import { Command } from 'commander';
import { systemClock } from '../platform/clock.ts';
import { readProgramVersion } from '../platform/version.ts';
import { defineBackup } from './backup.ts';
import { defineEvents } from './client/events.ts';
import { defineGroups } from './client/groups.ts';
import { defineIncidents } from './client/incidents.ts';
import { defineLogin } from './client/login.ts';
import { defineSilences } from './client/silences.ts';
import type { Terminal } from './client/terminal.ts';
import { defineEncryptAgain } from './encrypt-again.ts';
import { defineMigrate } from './migrate.ts';
import { defineResetPassword } from './reset-password.ts';
import { defineResetTotp } from './reset-totp.ts';
import { defineRestore } from './restore.ts';
import { defineRetention } from './retention.ts';
import { defineRisk } from './risk.ts';
import { defineSend } from './send.ts';
import { defineStart } from './start.ts';

/**
 * All commands. Each of them sets `process.exitCode`, or throws what `runProgram` reports.
 * @param streams of the commands that use a running service, and of those that print a result of the database
 */
export function createProgram(
  environment: NodeJS.ProcessEnv,
  streams: Omit<Terminal, 'environment'> = {
    input: process.stdin,
    output: process.stdout,
    notes: process.stderr,
  },
): Command {
  const program = new Command('tocsin')
    .description('Self-hosted event monitoring: durable intake, and incidents that open by themselves.')
    .version(readProgramVersion(), '-V, --version', 'Print the version.')
    .showHelpAfterError();
  program.commandsGroup('Run the service:');
  for (const define of [defineStart, defineMigrate, defineBackup, defineRestore, defineRetention]) {
    define(program, environment);
  }
  const terminal = { environment, ...streams };
  for (const define of [defineResetPassword, defineResetTotp, defineEncryptAgain]) define(program, terminal);
  program.commandsGroup('Use a running service:');
  defineLogin(program, terminal);
  defineEvents(program, terminal, systemClock);
  defineIncidents(program, terminal);
  defineGroups(program, terminal, systemClock);
  defineSilences(program, terminal, systemClock);
  defineSend(program, environment);
  program.commandsGroup('Try out:');
  defineRisk(program);
  return program;
}
