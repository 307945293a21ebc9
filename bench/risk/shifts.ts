import { median } from '../support/median.ts';
import { printTable } from './table.ts';
import {
  type EvaluationOptions,
  percent,
  seriesNear,
  type WarmProject,
  warmProjects,
} from './warm-projects.ts';

const SHIFTS: [string, number][] = [
  ['×2', 2],
  ['×3', 3],
  ['×0.5', 0.5],
];
const RATES = [1, 10, 100, 1_000];
/** About two of the series of a project. */
const NEAR = 1.8;
const DAYS = 2;
const MINUTES = DAYS * 1_440;

/** The level of one series changes for good: that should be one incident, which ends by itself as the new baseline. */
export function evaluateShifts(options: EvaluationOptions): void {
  const warm = warmProjects(options);
  const rows: (string | number)[][] = [];
  for (const [title, factor] of SHIFTS) {
    for (const rate of RATES) {
      const shifts = warm.flatMap((run) =>
        seriesNear(rate, NEAR).map((series) => shift(run, series, factor)),
      );
      const found = shifts.filter(({ incidents }) => incidents > 0);
      const ends = found.flatMap(({ incidents, endMinute }) =>
        incidents === 1 && endMinute !== null ? [endMinute] : [],
      );
      const all = found.reduce((sum, { incidents }) => sum + incidents, 0);
      rows.push([
        title,
        rate,
        percent(found.length, shifts.length),
        found.length === 0 ? '' : (all / found.length).toFixed(2),
        percent(ends.length, found.length),
        ends.length === 0 ? '' : (median(ends) / 60).toFixed(1),
      ]);
    }
  }
  printTable(
    `Level shifts: incidents of ${DAYS} days`,
    ['Shift', 'A minute', 'Found', 'Incidents where found', 'One, which ends', 'Hours to its end'],
    rows,
  );
}

function shift({ project, saved, minute }: WarmProject, shifted: number, factor: number) {
  project.load(saved, minute);
  let incidents = 0;
  let endMinute: number | null = null;
  for (let passed = 1; passed <= MINUTES; passed++) {
    for (const { kind } of project.step((series) => (series === shifted ? factor : 1))) {
      if (kind === 'opens') incidents++;
      if (kind === 'ends') endMinute = passed;
    }
  }
  return { incidents, endMinute };
}
