import { type PastIncident, replay } from '@tocsin/detector';
import { type Command, InvalidArgumentError } from 'commander';
import { isoTime } from '../platform/time.ts';
import { MAX_STEP_SECONDS, readSeriesFile } from './series-file.ts';

const MAX_BUDGET = 1_000;

/** `tocsin risk replay FILE.csv …` */
export function defineRisk(program: Command): void {
  program
    .command('risk')
    .description('Try what the service would have said about past counts.')
    .command('replay')
    .showHelpAfterError(false)
    .description('Print the incidents that past counts would have opened, as lines of JSON.')
    .argument('<files...>', 'timestamp,value in each line, the oldest first; the first line may be a header')
    .option('--step <seconds>', 'length of a step (default: the commonest distance of two rows)', parseStep)
    .option('--budget <number>', 'false incidents a week that are acceptable', parseBudget, 1)
    .addHelpText(
      'after',
      `
Times are ISO 8601, "YYYY-MM-DD HH:MM:SS" in UTC, or seconds since 1970. A step that is missing, or whose value is
empty, is unknown, not zero. Each file is judged as the only series of a project of its own. An incident opens, and
resolves, at the time of the row that decided it; the window is in seconds.

Examples:
  $ tocsin risk replay requests.csv
  $ tocsin risk replay --budget 0.2 --step 300 *.csv | jq -r .openedAt`,
    )
    .action(async (files: string[], { step, budget }: { step?: number; budget: number }) => {
      for (const file of files) {
        const incidents = replay(await readSeriesFile(file, step ?? null), budget);
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

function parseStep(text: string): number {
  const seconds = Number(text);
  if (seconds > 0 && seconds <= MAX_STEP_SECONDS) return seconds;
  throw new InvalidArgumentError(`It is a number of seconds, up to ${MAX_STEP_SECONDS}.`);
}

function parseBudget(text: string): number {
  const budget = Number(text);
  if (budget > 0 && budget <= MAX_BUDGET) return budget;
  throw new InvalidArgumentError(`It is a number above 0, up to ${MAX_BUDGET}.`);
}
