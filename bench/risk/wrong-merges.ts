import { UP } from '@tocsin/detector';
import { Random } from '@tocsin/simulation/random';
import { printTable } from './table.ts';
import {
  type EvaluationOptions,
  percent,
  seriesNear,
  type WarmProject,
  warmProjects,
} from './warm-projects.ts';

const BURST = { factor: 20, minutes: 5 };
/** Minutes between the beginnings of the two bursts. */
const DISTANCES: [number, number][] = [
  [0, 3],
  [3, 10],
  [10, 30],
  [30, 60],
  [60, 120],
];
const PAIRS_A_PROJECT = 10;
/** Series of about these many events a minute, where such a burst is found. */
const RATE = 50;
const NEAR = 10;

/** Two unrelated bursts in two series of a project: how often they are merged into one incident. */
export function evaluateWrongMerges(options: EvaluationOptions): void {
  const warm = warmProjects(options);
  const random = new Random(1);
  const rows = DISTANCES.map(([from, to]) => {
    let [pairs, both, merged] = [0, 0, 0];
    for (const run of warm) {
      for (let pair = 0; pair < PAIRS_A_PROJECT; pair++) {
        const distance = from + Math.floor((to - from) * random.uniform());
        const incidents = burstTwice(run, choosePair(random), distance);
        pairs++;
        if (!incidents) continue;
        both++;
        if (incidents[0] === incidents[1]) merged++;
      }
    }
    return [`${from} to ${to}`, percent(both, pairs), percent(merged, both)];
  });
  printTable(
    'Wrong merges: two unrelated bursts of ×20 for 5 minutes',
    ['Minutes between', 'Both found', 'Merged'],
    rows,
  );
}

function choosePair(random: Random): [number, number] {
  const series = seriesNear(RATE, NEAR);
  const first = Math.floor(series.length * random.uniform());
  const second = (first + 1 + Math.floor((series.length - 1) * random.uniform())) % series.length;
  return [series[first] ?? 0, series[second] ?? 0];
}

/** @returns the incidents of the two, or null where one of them was not found */
function burstTwice(
  { project, saved, minute }: WarmProject,
  [first, second]: [number, number],
  distance: number,
): [number, number] | null {
  project.load(saved, minute);
  const incidents = new Map<number, number>();
  const isIn = (passed: number, begin: number) => passed >= begin && passed < begin + BURST.minutes;
  for (let passed = 0; passed < distance + 2 * BURST.minutes; passed++) {
    const events = project.step((series) => {
      const bursts = (series === first && isIn(passed, 0)) || (series === second && isIn(passed, distance));
      return bursts ? BURST.factor : 1;
    });
    for (const event of events) {
      if (event.kind !== 'opens' && event.kind !== 'attaches') continue;
      if (event.series.kind !== 'events' || event.anomaly.side !== UP) continue;
      incidents.set(Number(event.series.source), event.incident);
    }
  }
  const [ofFirst, ofSecond] = [incidents.get(first), incidents.get(second)];
  return ofFirst !== undefined && ofSecond !== undefined ? [ofFirst, ofSecond] : null;
}
