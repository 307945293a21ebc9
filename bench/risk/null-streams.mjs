import { seedsOf } from '@tocsin/simulation/random';
import { KINDS, meanOf, SERIES } from '@tocsin/simulation/streams';
import { SimulatedProject } from './project.mjs';
import { printTable } from './table.mjs';

const WEEK = 10_080;
const POWER_MINUTES = 60;
/** Working hours are known from their third week on. */
const LATER_WEEKS = 3;

/**
 * Streams in which nothing is wrong: what opens is false. Beside it stands that the detector is not deaf:
 * how many of the same series show it within an hour when they send five times as much, or nothing.
 * @param {{ budgets: number[], projects: number, half: 'tune' | 'report' }} options
 */
export function evaluateNullStreams({ budgets, projects, half }) {
  const rows = [];
  for (const kind of Object.keys(KINDS)) {
    for (const budget of budgets) {
      const weeks = Array.from({ length: LATER_WEEKS }, () => 0);
      const power = { rise: [0, 0], silence: [0, 0] };
      let alarms = 0;
      let missed = 0;
      for (const seed of seedsOf(half, projects)) {
        const project = new SimulatedProject(kind, seed, budget);
        for (let week = 0; week < LATER_WEEKS; week++) {
          for (let minute = 0; minute < WEEK; minute++) {
            for (const verdict of project.step()) {
              if (verdict.kind === 'opens') weeks[week]++;
              if (verdict.kind !== 'opens' && verdict.kind !== 'joins') continue;
              alarms++;
              if (verdict.finding.usualMinutes !== null) missed++;
            }
          }
        }
        // Ten o'clock, when working hours are worked.
        for (let minute = 0; minute < 600; minute++) project.step();
        const saved = project.save();
        const { minute } = project;
        measurePower(project, 5, 0.1, power.rise);
        project.load(saved, minute);
        measurePower(project, 0, 1, power.silence);
      }
      const overBudget = weeks.map((count) => (count / projects / budget).toFixed(2));
      const share = ([found, all]) => `${Math.round((100 * found) / all)}%`;
      const perWeek = (count) => (count / projects / LATER_WEEKS).toFixed(2);
      rows.push([
        kind,
        budget,
        ...overBudget,
        perWeek(alarms),
        perWeek(missed),
        share(power.rise),
        share(power.silence),
      ]);
    }
  }
  const head = [
    'Stream',
    'Budget',
    'Week 1',
    'Week 2',
    'Week 3',
    'Alarms a week',
    'Beats missed',
    '×5 found',
    'Silence found',
  ];
  printTable(
    `Null streams: false incidents over the budget, ${projects} projects of ${SERIES} series`,
    head,
    rows,
  );
}

/**
 * @param {SimulatedProject} project
 * @param {number} factor
 * @param {number} lowestMean of the series that can show it within an hour
 * @param {number[]} tally found, all
 */
function measurePower(project, factor, lowestMean, tally) {
  const found = new Set();
  for (let minute = 0; minute < POWER_MINUTES; minute++) {
    for (const verdict of project.step(() => factor)) {
      const isTold = verdict.kind === 'opens' || verdict.kind === 'joins';
      if (isTold && verdict.series.kind === 'events' && verdict.finding.side === (factor > 1 ? 0 : 1)) {
        found.add(verdict.series.source);
      }
    }
  }
  for (let series = 0; series < SERIES; series++) {
    if (meanOf(series) < lowestMean) continue;
    tally[1]++;
    if (found.has(String(series))) tally[0]++;
  }
}
