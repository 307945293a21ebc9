import { UP } from '@tocsin/detector';
import { SERIES } from '@tocsin/simulation/streams';
import { printTable } from './table.ts';
import {
  type EvaluationOptions,
  percent,
  seriesNear,
  type WarmProject,
  warmProjects,
} from './warm-projects.ts';

const HOUR = 60;
const DAY = 24 * HOUR;
/** Title, factor, minutes. */
const RAMPS: [string, number, number][] = [
  ['×2 over an hour', 2, HOUR],
  ['×2 over 6 hours', 2, 6 * HOUR],
  ['×2 over a day', 2, DAY],
  ['×2 over a week', 2, 7 * DAY],
  ['none, for a week', 1, 7 * DAY],
];
const RATES = [0.1, 1, 10, 100, 1_000];
/** Half of the distance between two rates. */
const NEAR = 10 ** 0.5;
/** So long all stays as it has become. */
const AFTER = 6 * HOUR;

/** All series of a project grow together, by the same part each minute. What grows slowly is no trouble. */
export function evaluateRamps(options: EvaluationOptions): void {
  const warm = warmProjects(options);
  const rows = RAMPS.map(([title, factor, minutes]) => {
    const risen = warm.map((run) => ramp(run, factor, minutes));
    const shareOf = (rate: number) => {
      const series = seriesNear(rate, NEAR);
      const alarmed = risen.flatMap(({ alarmed }) => series.filter((number) => alarmed.has(number)));
      return percent(alarmed.length, series.length * warm.length);
    };
    const incidents = risen.reduce((sum, each) => sum + each.incidents, 0) / warm.length;
    return [title, ...RATES.map(shareOf), incidents.toFixed(2)];
  });
  printTable(
    'Slow ramps: series that alarm upwards, by events a minute before',
    ['Growth', ...RATES.map(String), 'Incidents a project'],
    rows,
  );
}

function ramp({ project, saved, minute }: WarmProject, factor: number, minutes: number) {
  project.load(saved, minute);
  const alarmed = new Set<number>();
  let incidents = 0;
  for (let passed = 0; passed < minutes + AFTER; passed++) {
    const grown = factor ** Math.min(1, passed / minutes);
    for (const event of project.step(() => grown)) {
      if ((event.kind !== 'opens' && event.kind !== 'attaches') || event.anomaly.side !== UP) continue;
      const { series } = event;
      if (event.kind === 'opens') incidents++;
      if (series.kind === 'events' && Number(series.source) < SERIES) alarmed.add(Number(series.source));
    }
  }
  return { alarmed, incidents };
}
