import { BASELINES } from './baselines.ts';
import type { Label, LabelledSeries } from './labelled-series.ts';
import { Peaks } from './peaks.ts';

const MINUTES_A_DAY = 1_440;
const SEASONAL_DAYS = 7;

/** A common rule: its statistic of each step, to compare with a threshold. */
export interface Rule {
  name: string;
  scores: (series: LabelledSeries) => number[];
}

const USUAL = ['mean ± kσ, 24 h', 'ratio to the median, 1 h'];

/** The first two look back on as many steps as there are minutes in a day and an hour, however long a step is. */
export const RULES: Rule[] = [
  ...BASELINES.filter(({ name }) => USUAL.includes(name)).map(
    ({ name, create, score }): Rule => ({
      name: name.replace('24 h', '1,440 steps').replace('1 h', '60 steps'),
      scores: ({ counts }) => {
        const state = create();
        return counts.map((count) => Math.max(...score(state, count)));
      },
    }),
  ),
  { name: 'seasonal median, 7 days', scores: seasonalScores },
];

/** The root of a count, whose variance hardly depends on its mean, against the same time of seven days, one step around. */
function seasonalScores({ counts, stepMinutes }: LabelledSeries): number[] {
  const day = MINUTES_A_DAY / stepMinutes;
  return counts.map((count, step) => {
    const past: number[] = [];
    for (let back = 1; back <= SEASONAL_DAYS; back++) {
      for (let near = -1; near <= 1; near++) {
        const value = counts[step - back * day + near];
        if (value !== undefined) past.push(value);
      }
    }
    if (past.length < 6) return 0;
    const usual = past.toSorted((a, b) => a - b)[past.length >> 1] ?? 0;
    return 2 * Math.abs(Math.sqrt(count) - Math.sqrt(usual));
  });
}

/**
 * How many labels a rule finds with the threshold at which it opens so many false alarms on the same series. An alarm is
 * not opened again for an hour, or 60 steps.
 */
export function foundByRule(
  { scores }: Rule,
  all: LabelledSeries[],
  { falseAlarms, graceSteps }: { falseAlarms: number; graceSteps: number },
): number {
  const falsePeaks: number[] = [];
  const labelPeaks: number[] = [];
  for (const series of all) {
    const values = scores(series);
    const peaks = new Peaks();
    const largest = series.labels.map(() => 0);
    values.forEach((value, step) => {
      const label = series.labels.findIndex(({ from, to }: Label) => step >= from && step <= to + graceSteps);
      if (label === -1) peaks.add(step, value);
      else largest[label] = Math.max(largest[label] ?? 0, value);
    });
    for (const value of peaks.values) falsePeaks.push(value);
    labelPeaks.push(...largest);
  }
  const threshold = falsePeaks.sort((a, b) => b - a)[falseAlarms] ?? 0;
  return labelPeaks.filter((value) => value > threshold).length;
}
