import { type Half, seedsOf } from '@tocsin/simulation/random';
import { median } from '../support/median.ts';
import { describeWish, firstMinute, formatMinutes, leadOfAll, unmetParts } from './scenarios/assess.ts';
import { CALENDAR_SCENARIOS } from './scenarios/calendar-scenarios.ts';
import { ERROR_SCENARIOS } from './scenarios/error-scenarios.ts';
import { describeAlarm, type Incident, listIncidents } from './scenarios/incident-log.ts';
import { PAYMENT_SCENARIOS } from './scenarios/payment-scenarios.ts';
import { type Histories, runScenario } from './scenarios/run-scenario.ts';
import { wordFirst } from './scenarios/sentences.ts';
import { SILENCE_SCENARIOS } from './scenarios/silence-scenarios.ts';
import { SMALL_PROJECT_SCENARIOS } from './scenarios/small-project-scenarios.ts';
import { TRAFFIC_SCENARIOS } from './scenarios/traffic-scenarios.ts';
import { printTable } from './table.ts';

export const SCENARIOS = [
  ...ERROR_SCENARIOS,
  ...SILENCE_SCENARIOS,
  ...PAYMENT_SCENARIOS,
  ...TRAFFIC_SCENARIOS,
  ...SMALL_PROJECT_SCENARIOS,
  ...CALENDAR_SCENARIOS,
].toSorted((left, right) => left.id.localeCompare(right.id, 'en', { numeric: true }));

/** A scenario passes where at least this share of its seeds does. */
const PASSING_SHARE = 0.8;

/**
 * Compares the incidents of troubles, after two weeks of history, with those that people on call want.
 * @param ids only these scenarios; all where it is null
 * @param isListed true if each alarm is printed as well
 */
export function evaluateScenarios({
  seeds,
  half,
  ids,
  isListed,
}: {
  seeds: number;
  half: Half;
  ids: string[] | null;
  isListed: boolean;
}): void {
  const unknown = ids?.find((id) => !SCENARIOS.some((scenario) => scenario.id === id));
  if (unknown)
    throw new Error(`There is no scenario ${unknown}: ${SCENARIOS.map(({ id }) => id).join(', ')}.`);
  const chosen = SCENARIOS.filter(({ id }) => ids === null || ids.includes(id));
  const histories: Histories = new Map();
  let passed = 0;
  const groupings: ReturnType<typeof groupingOf>[] = [];
  const sentences: string[][] = [];
  const rows = chosen.map((scenario) => {
    const runs = seedsOf(half, seeds).map((seed) => {
      const incidents = runScenario(scenario, seed, histories);
      if (isListed) console.log([`${scenario.id}, seed ${seed}`, ...listIncidents(incidents)].join('\n  '));
      return incidents;
    });
    const sentence = wordFirst(scenario, runs[0] ?? []);
    if (sentence) sentences.push(sentence);
    const unmet = runs.map((incidents) => unmetParts(scenario, incidents));
    const good = unmet.filter((parts) => parts.length === 0).length;
    const passes = good >= PASSING_SHARE * seeds;
    if (passes) passed++;
    if (scenario.wish.incidents[1] === 1) groupings.push(groupingOf(runs));
    const reasons = [...new Set(unmet.flat())].join('; ');
    return [
      scenario.id,
      scenario.title,
      describeWish(scenario.wish),
      ...describeRuns(runs),
      `${good} of ${seeds}`,
      passes ? 'pass' : `fail: ${reasons}`,
    ];
  });
  printTable(
    `Scenarios, ${seeds} seeds each`,
    ['', 'Trouble', 'Wanted', 'First after', 'Incidents', 'Worst alarm', 'Over after', 'Seeds', 'Verdict'],
    rows,
  );
  console.log(`\n${passed} of ${chosen.length} pass.`);
  const [one, several] = ['one incident', 'several'].map(
    (wanted) => groupings.filter((grouping) => grouping === wanted).length,
  );
  console.log(
    `One cause in two alarms or more: one incident in ${one} of ${(one ?? 0) + (several ?? 0)} scenarios.`,
  );
  printTable(
    'Sentences of first incidents, the first seed',
    ['', 'Trouble', 'Begins', 'Said first'],
    sentences,
  );
}

/** Returns if one cause shows in two alarms or more, and if these are one incident with every seed. */
function groupingOf(runs: Incident[][]): 'one incident' | 'several' | 'single alarms' {
  if (runs.some((incidents) => incidents.length > 1)) return 'several';
  const isGrouped = runs.some((incidents) => incidents.some(({ alarms }) => alarms.length > 1));
  return isGrouped ? 'one incident' : 'single alarms';
}

/** Median delay, incidents of each seed, the worst alarm of the seeds that have most in common, median end. */
function describeRuns(runs: Incident[][]): string[] {
  const firsts = runs.flatMap((incidents) => firstMinute(incidents) ?? []);
  const leads = runs.flatMap((incidents) => {
    const lead = leadOfAll(incidents);
    return lead ? [describeAlarm(lead)] : [];
  });
  const ends = runs
    .filter((incidents) => incidents.length > 0)
    .map((incidents) =>
      Math.max(...incidents.map(({ endedMinute }) => endedMinute ?? Number.POSITIVE_INFINITY)),
    );
  const end = median(ends);
  return [
    firsts.length === 0 ? '' : formatMinutes(median(firsts)),
    runs.map((incidents) => incidents.length).join(' '),
    mostFrequent(leads) ?? '',
    ends.length === 0 ? '' : end === Number.POSITIVE_INFINITY ? 'open' : formatMinutes(end),
  ];
}

function mostFrequent(values: string[]): string | undefined {
  const frequency = (value: string) => values.filter((other) => other === value).length;
  return values.toSorted((left, right) => frequency(right) - frequency(left))[0];
}
