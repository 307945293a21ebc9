import { Command } from 'commander';
import { readProgramVersion } from '../platform/version.ts';
import { defineBackup } from './backup.ts';
import { defineMigrate } from './migrate.ts';
import { defineRestore } from './restore.ts';
import { defineRetention } from './retention.ts';
import { defineRisk } from './risk.ts';
import { defineSend } from './send.ts';
import { defineStart } from './start.ts';

/** All commands. Each of them sets `process.exitCode`, or throws what `runProgram` reports. */
export function createProgram(environment: NodeJS.ProcessEnv): Command {
  const program = new Command('tocsin')
    .description('Self-hosted event monitoring: durable intake, and incidents that open by themselves.')
    .version(readProgramVersion(), '-V, --version', 'Print the version.')
    .showHelpAfterError();
  for (const define of [
    defineStart,
    defineMigrate,
    defineBackup,
    defineRestore,
    defineRetention,
    defineSend,
    defineRisk,
  ]) {
    define(program, environment);
  }
  return program;
}
