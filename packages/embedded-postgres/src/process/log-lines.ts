import type { Readable } from 'node:stream';

const MAX_LINE_CHARACTERS = 2_000;

/** Passes on the output of a stream line by line; of a longer line the beginning. */
export function readLines(stream: Readable | null, onLine: (line: string) => void): void {
  let line = '';
  const add = (part: string) => {
    line += part.slice(0, MAX_LINE_CHARACTERS - line.length);
  };
  const end = () => {
    if (line.trim() !== '') onLine(line.trimEnd());
    line = '';
  };
  stream?.setEncoding('utf8');
  stream?.on('data', (chunk: string) => {
    const parts = chunk.split('\n');
    const rest = parts.pop() ?? '';
    for (const part of parts) {
      add(part);
      end();
    }
    add(rest);
  });
  stream?.on('end', end);
  // The pipe of a process that was killed may break; the process reports its end.
  stream?.on('error', end);
}

/** Keeps the last lines, for an error message; a repeated line only once. */
export class LastLines {
  readonly #lines: string[] = [];

  add(line: string): void {
    if (line === this.#lines.at(-1)) return;
    this.#lines.push(line);
    if (this.#lines.length > 20) this.#lines.shift();
  }

  toString(): string {
    return this.#lines.join('\n');
  }
}
