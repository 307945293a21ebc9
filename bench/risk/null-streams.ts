import { DOWN, UP } from '@tocsin/detector';
import { type Half, seedsOf } from '@tocsin/simulation/random';
import { KIND_NAMES, meanOf, SERIES } from '@tocsin/simulation/streams';
import { SimulatedProject } from './project.ts';
import { printTable } from './table.ts';

const WEEK = 10_080;
const POWER_MINUTES = 60;
/** Working hours are known from their third week on. */
const LATER_WEEKS = 3;

/**
 * Streams in which nothing is wrong: what opens is false. Beside it stands that the detector is not deaf:
 * how many of the same series show it within an hour when they send five times as much, or nothing.
 */
export function evaluateNullStreams({
  budgets,
  projects,
  half,
}: {
  budgets: number[];
  projects: number;
  half: Half;
}): void {
  const rows: (string | number)[][] = [];
  for (const kind of KIND_NAMES) {
    for (const budget of budgets) {
      const weeks = Array.from({ length: LATER_WEEKS }, () => 0);
      const power = { rise: { found: 0, all: 0 }, silence: { found: 0, all: 0 } };
      let alarms = 0;
      let missed = 0;
      for (const seed of seedsOf(half, projects)) {
        const project = new SimulatedProject(kind, seed, budget);
        for (let week = 0; week < LATER_WEEKS; week++) {
          for (let minute = 0; minute < WEEK; minute++) {
            for (const verdict of project.step()) {
              if (verdict.kind === 'opens') weeks[week] = (weeks[week] ?? 0) + 1;
              if (verdict.kind !== 'opens' && verdict.kind !== 'attaches') continue;
              alarms++;
              if (verdict.anomaly.usualMinutes !== null) missed++;
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
      const share = ({ found, all }: Tally) => `${Math.round((100 * found) / all)}%`;
      const perWeek = (count: number) => (count / projects / LATER_WEEKS).toFixed(2);
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

interface Tally {
  found: number;
  all: number;
}

/** @param lowestMean of the series that can show it within an hour */
function measurePower(project: SimulatedProject, factor: number, lowestMean: number, tally: Tally): void {
  const found = new Set<string | null>();
  for (let minute = 0; minute < POWER_MINUTES; minute++) {
    for (const verdict of project.step(() => factor)) {
      if (verdict.kind !== 'opens' && verdict.kind !== 'attaches') continue;
      if (verdict.series.kind === 'events' && verdict.anomaly.side === (factor > 1 ? UP : DOWN)) {
        found.add(verdict.series.source);
      }
    }
  }
  for (let series = 0; series < SERIES; series++) {
    if (meanOf(series) < lowestMean) continue;
    tally.all++;
    if (found.has(String(series))) tally.found++;
  }
}
