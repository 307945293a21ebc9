import { once } from 'node:events';
import type { Command } from 'commander';
import { CommandError } from '../platform/command-error.ts';
import { printable } from '../platform/printable.ts';

const REPORT_LIMIT_MS = 1_000;

/**
 * Runs a command and reports its error on stderr: a sentence if the user can act on it, else the stack. The process
 * then exits with the code of the error, else 1, even if the command left something running.
 */
export async function runProgram(program: Command, argv: string[]): Promise<void> {
  try {
    await program.parseAsync(argv);
  } catch (error) {
    // Needs the modules of the database, which a client command does not load.
    const { formatUserError } = await import('./user-errors.ts');
    const said = formatUserError(error) ?? stackOf(error);
    if (said !== '') await report(`${printable(said)}\n`);
    process.exit(error instanceof CommandError ? error.exitCode : 1);
  }
}

/** Waits until a pipe has received all of the text, with a limit for a stalled reader. */
async function report(text: string): Promise<void> {
  const { stderr } = process;
  stderr.on('error', () => {});
  if (stderr.write(text)) return;
  await once(stderr, 'drain', { signal: AbortSignal.timeout(REPORT_LIMIT_MS) }).catch(() => {});
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
