import { printable } from '../platform/printable.ts';

export type Print = (line: string) => void;

/** Reports the progress of a long operation. */
export interface Progress {
  /** Number of processed bytes of a table. */
  advance: (table: string, bytes: number) => void;
  print: Print;
}

const INTERVAL_MS = 5_000;

/** Prints a line about the current table every 5 seconds: nothing for shorter operations. */
export function createProgress(print: Print, now: () => number = () => performance.now()): Progress {
  let lastMs = now();
  let present = '';
  let bytes = 0;
  return {
    print,
    advance: (table, more) => {
      if (table !== present) [present, bytes] = [table, 0];
      bytes += more;
      if (now() - lastMs < INTERVAL_MS) return;
      lastMs = now();
      print(`  ${table}: ${formatBytes(bytes)} so far`);
    },
  };
}

/** Progress and summaries go to stderr: stdout may be the backup itself. */
export function printToStderr(line: string): void {
  process.stderr.write(`${printable(line)}\n`);
}

function formatBytes(bytes: number): string {
  return bytes < 1024 * 1024 ? `${Math.ceil(bytes / 1024)} KiB` : `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}
