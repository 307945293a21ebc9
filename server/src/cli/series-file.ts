import { readFile } from 'node:fs/promises';
import type { PastCounts } from '@tocsin/detector';
import { CommandError } from '../platform/command-error.ts';
import { parseIsoTime } from '../platform/time.ts';

/** As the service counts: what comes in finer steps is added up. */
const MIN_STEP_SECONDS = 60;
export const MAX_STEP_SECONDS = 86_400;
/** Half a century by the minute is a mistake in a timestamp. */
const MAX_STEPS = 20_000_000;
const MAX_VALUE = 1e12;

interface Row {
  timeMs: number;
  /** NaN where it is empty. */
  value: number;
}

/** @throws CommandError, with the line, where the file cannot be read or is no series of counts */
export async function readSeriesFile(file: string, stepSeconds: number | null): Promise<PastCounts> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new CommandError(`${file} cannot be read: ${error.message}.`, { cause: error });
  });
  try {
    return parseSeries(text, stepSeconds);
  } catch (error) {
    if (error instanceof CommandError) error.message = `${file}${error.message}`;
    throw error;
  }
}

/**
 * `timestamp,value` lines into counts at equal steps. A step that is missing or empty is unknown, not zero.
 * @param stepSeconds null: the commonest distance between two rows
 * @throws CommandError whose message continues the name of the file
 */
export function parseSeries(text: string, stepSeconds: number | null): PastCounts {
  const rows = parseRows(text);
  const [first] = rows;
  if (!first) throw new CommandError(': there are no rows in it.');
  const spacingMs = findSpacing(rows);
  if (stepSeconds === null && spacingMs === null)
    throw new CommandError(': one row does not tell how long a step is; say it with --step.');
  const givenMs = (stepSeconds ?? 0) * 1000 || (spacingMs ?? 0);
  const stepMs = Math.max(MIN_STEP_SECONDS * 1000, givenMs);
  if (stepMs > MAX_STEP_SECONDS * 1000)
    throw new CommandError(': its rows are more than a day apart; say how long a step is with --step.');
  const steps = Math.ceil(((rows.at(-1)?.timeMs ?? first.timeMs) - first.timeMs) / stepMs) + 2;
  if (steps > MAX_STEPS) throw new CommandError(`: it spans ${steps} steps, at most ${MAX_STEPS} are taken.`);
  const isFiner = spacingMs !== null && spacingMs < 0.75 * stepMs;
  const counts = isFiner ? addUp(rows, stepMs, steps) : place(rows, stepMs, steps);
  return { startMs: first.timeMs, stepMinutes: stepMs / 60_000, counts };
}

function parseRows(text: string): Row[] {
  const rows: Row[] = [];
  text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .forEach((raw, index) => {
      const line = raw.trim();
      const fail = (what: string) => new CommandError(`, line ${index + 1}: ${what}.`);
      // Names begin with a letter, times with a digit.
      if (line === '' || (index === 0 && /^"?[^\d"-]/.test(line))) return;
      const fields = line.split(',').map((field) => field.trim().replace(/^"(.*)"$/, '$1'));
      if (fields.length !== 2) throw fail(`${fields.length} fields instead of timestamp,value`);
      const [time = '', value = ''] = fields;
      const timeMs = parseTime(time);
      if (timeMs === null) throw fail(`${JSON.stringify(time.slice(0, 40))} is no time`);
      const last = rows.at(-1);
      if (last && timeMs === last.timeMs) throw fail('the time of the line before it once more');
      if (last && timeMs < last.timeMs) throw fail('the time is before that of the line before it');
      rows.push({ timeMs, value: parseValue(value, fail) });
    });
  return rows;
}

/** ISO 8601, `YYYY-MM-DD HH:MM:SS` in UTC, or seconds since 1970. */
function parseTime(text: string): number | null {
  if (/^\d{1,11}(\.\d+)?$/.test(text)) return Math.round(Number(text) * 1000);
  return parseIsoTime(text);
}

function parseValue(text: string, fail: (what: string) => CommandError): number {
  if (text === '') return Number.NaN;
  const shown = JSON.stringify(text.slice(0, 40));
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) throw fail(`${shown} is no number`);
  const value = Number(text);
  if (value < 0) throw fail(`${shown} is negative, and a count is not`);
  if (value > MAX_VALUE) throw fail(`${shown} is too large for a count`);
  return value;
}

/** The commonest distance between two rows, the shortest of equally common ones; null for one row. */
function findSpacing(rows: Row[]): number | null {
  const times = new Map<number, number>();
  for (let i = 1; i < rows.length; i++) {
    const distance = (rows[i]?.timeMs ?? 0) - (rows[i - 1]?.timeMs ?? 0);
    times.set(distance, (times.get(distance) ?? 0) + 1);
  }
  const [commonest] = [...times].toSorted((left, right) => right[1] - left[1] || left[0] - right[0]);
  return commonest?.[0] ?? null;
}

/** A row to a step; times may stray from their step by less than half of it. */
function place(rows: Row[], stepMs: number, steps: number): Float64Array {
  const startMs = rows[0]?.timeMs ?? 0;
  const counts = new Float64Array(steps + 1).fill(Number.NaN);
  let at = -1;
  for (const { timeMs, value } of rows) {
    at = Math.min(steps, Math.max(at + 1, Math.round((timeMs - startMs) / stepMs)));
    counts[at] = value;
  }
  return counts.slice(0, at + 1);
}

/** Several rows to a step, which is known where all of its rows are. */
function addUp(rows: Row[], stepMs: number, steps: number): Float64Array {
  const startMs = rows[0]?.timeMs ?? 0;
  const counts = new Float64Array(steps).fill(Number.NaN);
  let last = -1;
  for (const { timeMs, value } of rows) {
    const at = Math.floor((timeMs - startMs) / stepMs);
    counts[at] = at === last ? (counts[at] as number) + value : value;
    last = at;
  }
  return counts.slice(0, last + 1);
}
