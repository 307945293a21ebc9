import { once } from 'node:events';
import type { Command } from 'commander';
import { describeFault } from './faults.ts';
import { printable } from './printable.ts';

/**
 * Runs a command and reports what it throws on stderr: a sentence where a person can act on it, else the
 * stack. Then the process ends with 1, whatever the command has left running.
 */
export async function runProgram(program: Command, argv: string[]): Promise<void> {
  try {
    await program.parseAsync(argv);
  } catch (error) {
    // A pipe may take a moment; what is cut off is no report.
    if (!process.stderr.write(`${printable(describeFault(error) ?? stackOf(error))}\n`))
      await once(process.stderr, 'drain');
    process.exit(1);
  }
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
