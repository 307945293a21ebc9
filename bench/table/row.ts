/** A line of the table: a figure beside its bar. */
export interface Row {
  what: string;
  value: number;
  /** Behind the number: `µs`, `ms`, `×`. Empty for a ratio. */
  unit: string;
  /** The figure is to be at least, or at most, so much. Null: it has no bar. */
  bar: { atLeast: number } | { atMost: number } | null;
  /** How it was measured, and what moved: rates, rounds, samples. */
  detail: string;
}

export interface Options {
  /** Alternating rounds of what is compared. */
  rounds: number;
  /** Duration of each load. */
  seconds: number;
  /** The version that the part `before` compares with; empty where none is given. */
  commit: string;
  /** Data directories for the part `growth`. */
  data: string[];
  log: (line: string) => void;
}

/** Measures one part of the table. A part that cannot run here answers with why. */
export type Measure = (options: Options) => Promise<Row[] | { skipped: string }>;

export function isMissed({ value, bar }: Row): boolean {
  if (bar === null) return false;
  return 'atLeast' in bar ? !(value >= bar.atLeast) : !(value <= bar.atMost);
}

export const HEADER = '| What | Measured | Bar | | How |\n|---|---|---|---|---|';

/** The row in Markdown, so that a run can be put into a document as it is. */
export function formatRow(row: Row): string {
  const { what, value, unit, bar, detail } = row;
  const figure = (number: number) => `${format(number)}${unit && ` ${unit}`}`;
  const asked =
    bar === null ? '–' : 'atLeast' in bar ? `≥ ${figure(bar.atLeast)}` : `≤ ${figure(bar.atMost)}`;
  return `| ${what} | ${figure(value)} | ${asked} | ${isMissed(row) ? 'missed' : bar === null ? '' : 'holds'} | ${detail} |`;
}

/** Three digits: more would be noise. Counts as they are. */
function format(value: number): string {
  if (!Number.isFinite(value)) return '–';
  if (Number.isInteger(value) || Math.abs(value) >= 1_000) return Math.round(value).toLocaleString('en-US');
  if (Math.abs(value) >= 100) return value.toFixed(0);
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
