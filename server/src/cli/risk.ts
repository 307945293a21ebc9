import { type PastIncident, replay } from '@tocsin/detector';
import { type Command, InvalidArgumentError } from 'commander';
import { isoTime } from '../platform/time.ts';
import { MAX_STEP_SECONDS, readSeriesFile } from './series-file.ts';

const MAX_BUDGET = 1_000;

/** `tocsin risk replay FILE.csv …` */
export function defineRisk(program: Command): void {
  program
    .command('risk')
    .description('Test what the service would have reported for past counts.')
    .command('replay')
    .showHelpAfterError(false)
    .description('Print the incidents that past counts would have opened, as lines of JSON.')
    .argument('<files...>', 'timestamp,value in each line, the oldest first; the first line may be a header')
    .option(
      '--step <length>',
      'length of a step: 60, 15m, 1h, 1d (default: the usual distance of rows)',
      parseStep,
    )
    .option('--budget <number>', 'false incidents a week that are acceptable', parseBudget, 1)
    .addHelpText(
      'after',
      `
Times are ISO 8601, "YYYY-MM-DD HH:MM:SS" in UTC, or seconds since 1970. A step that is missing, or whose value is
empty, is unknown, not zero. Of rows with one time the first counts, and a warning says so; rows that are finer than a
step are added up. A warning on stderr also names values that can hardly open anything. Each file is evaluated as the only
series of a project of its own. An incident opens, and resolves, at the time of the row that decided it; the window is
in seconds.

Examples:
  $ tocsin risk replay requests.csv
  $ tocsin risk replay --budget 0.2 --step 1h *.csv | jq -r .openedAt`,
    )
    .action(async (files: string[], { step, budget }: { step?: number; budget: number }) => {
      for (const file of files) {
        const { warnings, ...past } = await readSeriesFile(file, step ?? null);
        for (const warning of warnings) process.stderr.write(`${file}${warning}\n`);
        const incidents = replay(past, budget);
        for (const incident of incidents) process.stdout.write(`${toLine(file, incident)}\n`);
      }
    });
}

function toLine(file: string, incident: PastIncident): string {
  const { openedAtMs, resolvedAtMs, direction, observed, expected, windowSeconds, severity } = incident;
  return JSON.stringify({
    file,
    openedAt: isoTime(openedAtMs),
    resolvedAt: resolvedAtMs === null ? null : isoTime(resolvedAtMs),
    direction,
    observed,
    expected: Math.round(expected * 100) / 100,
    window: windowSeconds,
    severity,
  });
}

const UNIT_SECONDS: Readonly<Record<string, number>> = {
  '': 1,
  s: 1,
  m: 60,
  h: 3_600,
  d: 86_400,
  w: 604_800,
};

function parseStep(text: string): number {
  const [, amount = '', unit = ''] = /^(\d+(?:\.\d+)?)\s*([smhdw]?)$/i.exec(text) ?? [];
  const seconds = Number(amount) * (UNIT_SECONDS[unit.toLowerCase()] ?? 0);
  if (seconds > 0 && seconds <= MAX_STEP_SECONDS) return seconds;
  throw new InvalidArgumentError(
    'Use a number of seconds, or of s, m, h, d or w, up to a week: 90, 15m, 1h, 1d.',
  );
}

function parseBudget(text: string): number {
  const budget = Number(text);
  if (budget > 0 && budget <= MAX_BUDGET) return budget;
  throw new InvalidArgumentError(`Use a number above 0, up to ${MAX_BUDGET}.`);
}
