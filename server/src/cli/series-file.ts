import { readFile } from 'node:fs/promises';
import { MAX_COUNT, type PastCounts } from '@tocsin/detector';
import { CommandError } from '../platform/command-error.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../platform/durations.ts';
import { parseIsoTime } from '../platform/time.ts';
import { warnOfValues } from './value-warnings.ts';

/** Minimum step, that of the service's counts: finer steps are added up. */
const MIN_STEP_MS = MINUTE_MS;
export const MAX_STEP_SECONDS = (7 * DAY_MS) / 1_000;
/** Maximum steps: half a century by the minute is a mistake in a timestamp. */
const MAX_STEPS = 20_000_000;
/** Maximum time by which clocks are set back at the end of daylight saving time. */
const MAX_SET_BACK_MS = HOUR_MS;

/** The counts of a file, with warnings: sentences that continue the name of the file. */
export interface SeriesFile extends PastCounts {
  warnings: string[];
}

interface Row {
  line: number;
  timeMs: number;
  /** NaN if it is empty. */
  value: number;
}

/** @throws CommandError, with the line, if the file cannot be read or is no series of counts */
export async function readSeriesFile(file: string, stepSeconds: number | null): Promise<SeriesFile> {
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
 * Parses `timestamp,value` lines into counts at equal steps. A step that is missing or empty is unknown, not zero.
 * @param stepSeconds null: the commonest distance between two rows
 * @throws CommandError whose message continues the name of the file
 */
export function parseSeries(text: string, stepSeconds: number | null): SeriesFile {
  const { rows, repeated } = parseRows(text);
  const repeat = (row: Row) => repeated.push(row);
  const [first] = rows;
  if (!first) throw new CommandError(': there are no rows in it.');
  const spacingMs = findSpacing(rows);
  if (stepSeconds === null && spacingMs === null)
    throw new CommandError(': rows of one time do not show the step length; set it with --step.');
  const givenMs = (stepSeconds ?? 0) * 1000 || (spacingMs ?? 0);
  const stepMs = Math.max(MIN_STEP_MS, givenMs);
  if (stepMs > MAX_STEP_SECONDS * 1000)
    throw new CommandError(': its rows are more than a week apart; set the step length with --step.');
  const steps = Math.ceil(((rows.at(-1)?.timeMs ?? first.timeMs) - first.timeMs) / stepMs) + 2;
  if (steps > MAX_STEPS)
    throw new CommandError(`: it spans ${steps} steps, and at most ${MAX_STEPS} are allowed.`);
  const isFiner = spacingMs !== null && spacingMs < 0.75 * stepMs;
  const counts = isFiner ? addUp(rows, stepMs, steps) : place(rows, stepMs, steps, repeat);
  const past = { startMs: first.timeMs, stepMinutes: stepMs / MINUTE_MS, counts };
  const warnings = [...warnOfRepeated(repeated), ...warnOfValues(past)];
  return { ...past, warnings };
}

/** Rows in the order of time, and those that are left out since local time repeats an hour in autumn. */
function parseRows(text: string): { rows: Row[]; repeated: Row[] } {
  const rows: Row[] = [];
  const repeated: Row[] = [];
  let previousMs = Number.NaN;
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
      if (timeMs === null) throw fail(`${JSON.stringify(time.slice(0, 40))} is not a time`);
      const row = { line: index + 1, timeMs, value: parseValue(value, fail) };
      const lastMs = rows.at(-1)?.timeMs ?? Number.NEGATIVE_INFINITY;
      // Two rows of one time, one after the other, may both be meant: see `place` and `addUp`.
      if (timeMs > lastMs || (timeMs === lastMs && previousMs === timeMs)) rows.push(row);
      else if (hasTime(rows, timeMs)) repeated.push(row);
      else throw fail('the time is before that of the line before it');
      previousMs = timeMs;
    });
  return { rows, repeated };
}

/** True if a row of the last hour has this time. */
function hasTime(rows: Row[], timeMs: number): boolean {
  if ((rows.at(-1)?.timeMs ?? 0) - timeMs > MAX_SET_BACK_MS) return false;
  return rows.findLast((row) => row.timeMs <= timeMs)?.timeMs === timeMs;
}

function warnOfRepeated([first, ...others]: Row[]): string[] {
  if (!first) return [];
  const more = others.length > 0 ? `, and so do ${others.length} more` : '';
  const reason = 'as local time does at the end of daylight saving time';
  return [
    `, line ${first.line}: it repeats the time of an earlier row${more}, ${reason}; the first is kept.`,
  ];
}

/** ISO 8601, `YYYY-MM-DD HH:MM:SS` in UTC, or seconds since 1970. */
function parseTime(text: string): number | null {
  if (/^\d{1,11}(\.\d+)?$/.test(text)) return Math.round(Number(text) * 1000);
  return parseIsoTime(text);
}

function parseValue(text: string, fail: (what: string) => CommandError): number {
  if (text === '') return Number.NaN;
  const shown = JSON.stringify(text.slice(0, 40));
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) throw fail(`${shown} is not a number`);
  const value = Number(text);
  if (value < 0) throw fail(`${shown} is negative, and a count is not`);
  if (value > MAX_COUNT) throw fail(`${shown} is too large for a count`);
  return value;
}

/** The commonest distance between two rows, the shortest of equally common ones; null for rows of one time. */
function findSpacing(rows: Row[]): number | null {
  const times = new Map<number, number>();
  for (let i = 1; i < rows.length; i++) {
    const distance = (rows[i]?.timeMs ?? 0) - (rows[i - 1]?.timeMs ?? 0);
    if (distance === 0) continue;
    times.set(distance, (times.get(distance) ?? 0) + 1);
  }
  const [commonest] = [...times].toSorted((left, right) => right[1] - left[1] || left[0] - right[0]);
  return commonest?.[0] ?? null;
}

/**
 * Assigns a row to a step; times may deviate from their step by less than half of it. Of two rows of one time the
 * first counts.
 */
function place(rows: Row[], stepMs: number, steps: number, repeat: (row: Row) => void): Float64Array {
  const startMs = rows[0]?.timeMs ?? 0;
  const counts = new Float64Array(steps + 1).fill(Number.NaN);
  let at = -1;
  let previousMs = Number.NaN;
  for (const row of rows) {
    const { timeMs, value } = row;
    if (timeMs === previousMs) {
      repeat(row);
      continue;
    }
    previousMs = timeMs;
    at = Math.min(steps, Math.max(at + 1, Math.round((timeMs - startMs) / stepMs)));
    counts[at] = value;
  }
  return counts.slice(0, at + 1);
}

/** Adds up several rows to a step, which is known if all of its rows are. */
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
