import { CommandError } from '../../platform/command-error.ts';
import type { Terminal } from './terminal.ts';

const MAX_SECRET_LENGTH = 1_000;
const [CTRL_C, CTRL_D, BACKSPACE, DELETE] = ['\u0003', '\u0004', '\b', '\u007f'];

/** Reads a line from a pipe, or typed at a terminal that does not show it. */
export async function readSecret(terminal: Terminal, prompt: string): Promise<string> {
  const { input, notes } = terminal;
  if (!input.isTTY || !input.setRawMode) return firstLine(input);
  notes.write(prompt);
  input.setRawMode(true);
  try {
    return await typedLine(input);
  } finally {
    input.setRawMode(false);
    input.pause();
    notes.write('\n');
  }
}

async function firstLine(input: Terminal['input']): Promise<string> {
  let text = '';
  for await (const chunk of input as AsyncIterable<Buffer>) {
    text += chunk.toString();
    if (text.includes('\n') || text.length > MAX_SECRET_LENGTH) break;
  }
  return (text.split('\n', 1)[0] ?? '').trim();
}

async function typedLine(input: Terminal['input']): Promise<string> {
  let text = '';
  for await (const chunk of input as AsyncIterable<Buffer>) {
    for (const character of chunk.toString()) {
      if (character === CTRL_C) throw new CommandError('Interrupted.', { exitCode: 130 });
      if (character === '\r' || character === '\n' || character === CTRL_D) return text.trim();
      if (character === BACKSPACE || character === DELETE) text = text.slice(0, -1);
      else if (text.length < MAX_SECRET_LENGTH) text += character;
    }
  }
  return text.trim();
}
