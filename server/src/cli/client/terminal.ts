import type { Readable, Writable } from 'node:stream';
import { CommandError } from '../../platform/command-error.ts';

/** Input and output of a command: a terminal, or a pipe. */
export interface Terminal {
  environment: NodeJS.ProcessEnv;
  input: Readable & { isTTY?: boolean; setRawMode?: (isRaw: boolean) => unknown };
  output: Writable & { isTTY?: boolean; columns?: number };
  /** Output for everything that is no result: prompts, warnings. */
  notes: Writable;
}

/** Characters that fit a line; Infinity if the output is no terminal. */
export function widthOf({ output }: Terminal): number {
  return output.isTTY && output.columns ? output.columns : Number.POSITIVE_INFINITY;
}

/** Exit code with which a shell reports a program that ended by SIGPIPE. */
const PIPE_CLOSED = 141;

/**
 * Writes lines and waits until the reader has received them.
 * @throws CommandError without a message if the reader is gone (`| head`): nothing is wrong
 */
export async function printLines({ output }: Terminal, lines: string[]): Promise<void> {
  if (lines.length === 0) return;
  // The error reaches the callback as well; without a listener it would end the process.
  if (output.listenerCount('error') === 0) output.on('error', () => {});
  await new Promise<void>((resolve, reject) => {
    output.write(`${lines.join('\n')}\n`, (error) => {
      if (!error) resolve();
      else if ('code' in error && error.code === 'EPIPE')
        reject(new CommandError('', { exitCode: PIPE_CLOSED }));
      else reject(new CommandError(`The output cannot be written: ${error.message}.`, { cause: error }));
    });
  });
}

export function note({ notes }: Terminal, text: string): void {
  notes.write(`${text}\n`);
}
