import { once } from 'node:events';
import type { Command } from 'commander';
import { printable } from '../platform/printable.ts';
import { describeFault } from './faults.ts';

const REPORT_LIMIT_MS = 1_000;

/**
 * Runs a command and reports what it throws on stderr: a sentence where a person can act on it, else the
 * stack. Then the process ends with 1, whatever the command has left running.
 */
export async function runProgram(program: Command, argv: string[]): Promise<void> {
  try {
    await program.parseAsync(argv);
  } catch (error) {
    await report(`${printable(describeFault(error) ?? stackOf(error))}
`);
    process.exit(1);
  }
}

/** A pipe may take a moment, and what is cut off is no report; but a reader that stalls must not hold up the end. */
async function report(text: string): Promise<void> {
  const { stderr } = process;
  stderr.on('error', () => {});
  if (stderr.write(text)) return;
  await once(stderr, 'drain', { signal: AbortSignal.timeout(REPORT_LIMIT_MS) }).catch(() => {});
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
