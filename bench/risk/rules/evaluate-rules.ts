import { type Half, seedsOf } from '@tocsin/simulation/random';
import { processorUs } from '../processor-time.ts';
import { printTable } from '../table.ts';
import { RULES } from './rules.ts';
import { judgeScores, labelOf, type ScoredSeries, thresholdFor } from './threshold.ts';
import { createTroubledSeries, STEPS, type TroubledSeries } from './troubled-series.ts';
import { type Watch, watchByReplay, watchLive } from './watched.ts';

/** A minute. */
const RATES = [0.01, 0.1, 1, 10, 100, 1_000];
const WATCHES: { name: string; watch: Watch }[] = [
  { name: 'in a replay', watch: watchByReplay },
  { name: 'live', watch: watchLive },
];

export interface RulesOptions {
  /** Series of each rate. */
  seeds: number;
  /** Lengths of a step in minutes; none: all. */
  steps: number[];
}

/** Result of one method on the series of a half. */
interface Outcome {
  falseIncidents: number;
  /** By series and label. */
  found: boolean[][];
}

/** The series of a half, with what each method makes of them. */
interface JudgedHalf {
  series: TroubledSeries[];
  /** By `WATCHES`. */
  watched: Outcome[];
  /** By `RULES` and series. */
  scored: ScoredSeries[][];
}

/**
 * The product beside what a person would configure, at each length of a step: the share of the troubles that are found. A
 * rule has the threshold at which it opens as many false incidents on the tune half as the product does there; figures are of
 * the report half. Beside them the same with hindsight, with as many false incidents as the product on the report half itself.
 */
export function evaluateRules({ seeds, steps }: RulesOptions): void {
  for (const step of steps) {
    if (!(STEPS as readonly number[]).includes(step)) throw new Error(`Steps are ${STEPS.join(', ')}.`);
  }
  const us = processorUs(() => {
    for (const step of steps.length > 0 ? steps : STEPS) evaluateStep(step, seeds);
  });
  console.log(`\nProcessor time: ${Math.round(us / 1e6)} s.`);
}

function evaluateStep(step: number, seeds: number): void {
  const [tune, report] = [judgeHalf('tune', step, seeds), judgeHalf('report', step, seeds)];
  WATCHES.forEach(({ name }, index) => {
    const outcomes = (from: JudgedHalf) => {
      const most = from.watched[index]?.falseIncidents ?? 0;
      return RULES.map((_, rule) => {
        const threshold = thresholdFor(from.scored[rule] ?? [], most);
        return outcomeOf(report.scored[rule] ?? [], threshold);
      });
    };
    const ours = report.watched[index] ?? { falseIncidents: 0, found: [] };
    print(`${step} min ${name}`, { report, ours, rules: outcomes(tune), withHindsight: outcomes(report) });
  });
}

function judgeHalf(half: Half, step: number, seeds: number): JudgedHalf {
  const series = RATES.flatMap((rate) =>
    seedsOf(half, seeds).map((seed) => createTroubledSeries(step, rate, seed)),
  );
  const watched = WATCHES.map(({ watch }): Outcome => {
    const outcome: Outcome = { falseIncidents: 0, found: [] };
    for (const each of series) {
      const labels = watch(each)
        .filter((opened) => opened >= each.judgedFrom)
        .map((opened) => labelOf(each, opened));
      outcome.falseIncidents += labels.filter((label) => label === -1).length;
      outcome.found.push(each.labels.map((_, label) => labels.includes(label)));
    }
    return outcome;
  });
  const scored = RULES.map(({ scores }) =>
    series.map(({ counts, stepMinutes, labels, judgedFrom }) => ({
      stepMinutes,
      labels,
      judgedFrom,
      scores: scores(counts, stepMinutes),
    })),
  );
  return { series, watched, scored };
}

function outcomeOf(scored: readonly ScoredSeries[], threshold: number): Outcome {
  const judged = scored.map((series) => judgeScores(series, threshold));
  return {
    falseIncidents: judged.reduce((sum, { falseIncidents }) => sum + falseIncidents, 0),
    found: judged.map(({ found }) => found),
  };
}

interface Comparison {
  report: JudgedHalf;
  ours: Outcome;
  rules: Outcome[];
  withHindsight: Outcome[];
}

function print(title: string, { report, ours, rules, withHindsight }: Comparison): void {
  const { series } = report;
  const rows = RATES.map((rate, index) => {
    const each = series.length / RATES.length;
    const shares = [ours, ...rules].map(({ found }) =>
      share(found.slice(index * each, (index + 1) * each).flat()),
    );
    const labels = series.slice(index * each, (index + 1) * each).flatMap((of) => of.labels);
    return [rate, labels.length, ...shares];
  });
  const weeks = series.reduce(
    (sum, { counts, judgedFrom, stepMinutes }) => sum + ((counts.length - judgedFrom) * stepMinutes) / 10_080,
    0,
  );
  const all = ours.found.flat().length;
  for (const [name, others] of [
    ['all', rules],
    ['all, with hindsight', withHindsight],
  ] as const) {
    const outcomes = [ours, ...others];
    rows.push([name, all, ...outcomes.map(({ found }) => share(found.flat()))]);
    rows.push(['false incidents', Math.round(weeks), ...outcomes.map((of) => of.falseIncidents)]);
  }
  printTable(
    `Troubles found at steps of ${title}: share ± standard error`,
    ['A minute', 'Troubles, weeks', 'Tocsin', ...RULES.map(({ name }) => name)],
    rows,
  );
  console.log(
    `\n${title}: ${compareWithBest(ours, rules)}; with hindsight ${compareWithBest(ours, withHindsight)}.`,
  );
}

function share(found: readonly boolean[]): string {
  const part = found.filter(Boolean).length / Math.max(1, found.length);
  const error = Math.sqrt((part * (1 - part)) / Math.max(1, found.length));
  return `${Math.round(100 * part)}% ± ${Math.round(100 * error)}`;
}

/** Against the best rule; the standard error is that of the paired difference. */
function compareWithBest(ours: Outcome, rules: readonly Outcome[]): string {
  const counted = rules.map(({ found }) => found.flat().filter(Boolean).length);
  const best = counted.indexOf(Math.max(...counted));
  const theirs = rules[best]?.found.flat() ?? [];
  const differences = ours.found.flat().map((isFound, label) => Number(isFound) - Number(theirs[label]));
  const mean = differences.reduce((sum, each) => sum + each, 0) / differences.length;
  const squares = differences.reduce((sum, each) => sum + (each - mean) ** 2, 0);
  const error = Math.sqrt(squares) / differences.length;
  const points = (value: number) => (100 * value).toFixed(1);
  const holds = mean >= -2 * error ? 'holds' : 'FAILS';
  return `${holds}, ${points(mean)} ± ${points(error)} points against ${RULES[best]?.name}`;
}
