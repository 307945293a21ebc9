import { Random } from '@tocsin/simulation/random';
import { printTable } from './table.mjs';
import { percent, seriesNear, warmProjects } from './warm-projects.mjs';

const BURST = { factor: 20, minutes: 5 };
/** Minutes between the beginnings of the two bursts. */
const DISTANCES = [
  [0, 10],
  [10, 30],
  [30, 60],
  [60, 120],
];
const PAIRS_A_PROJECT = 10;
/** Series of about these many events a minute, where such a burst is found. */
const RATE = 50;
const NEAR = 10;
const UP = 0;

/**
 * Two bursts that have nothing to do with each other, in two series of a project: how often they are told as one.
 * @param {{ projects: number, half: 'tune' | 'report' }} options
 */
export function evaluateWrongMerges(options) {
  const warm = warmProjects(options);
  const random = new Random(1);
  const rows = DISTANCES.map(([from, to]) => {
    let [pairs, both, merged] = [0, 0, 0];
    for (const run of warm) {
      for (let pair = 0; pair < PAIRS_A_PROJECT; pair++) {
        const distance = from + Math.floor((to - from) * random.uniform());
        const told = burstTwice(run, choosePair(random), distance);
        pairs++;
        if (!told) continue;
        both++;
        if (told[0] === told[1]) merged++;
      }
    }
    return [`${from} to ${to}`, percent(both, pairs), percent(merged, both)];
  });
  printTable(
    'Wrong merges: two unrelated bursts of ×20 for 5 minutes',
    ['Minutes between', 'Both found', 'Told as one'],
    rows,
  );
}

function choosePair(random) {
  const series = seriesNear(RATE, NEAR);
  const first = Math.floor(series.length * random.uniform());
  const second = (first + 1 + Math.floor((series.length - 1) * random.uniform())) % series.length;
  return [series[first], series[second]];
}

/** @returns the incidents of the two, or null where one of them was not found */
function burstTwice({ project, saved, minute }, [first, second], distance) {
  project.load(saved, minute);
  const incidents = new Map();
  const isIn = (passed, begin) => passed >= begin && passed < begin + BURST.minutes;
  for (let passed = 0; passed < distance + 2 * BURST.minutes; passed++) {
    const verdicts = project.step((series) => {
      const bursts = (series === first && isIn(passed, 0)) || (series === second && isIn(passed, distance));
      return bursts ? BURST.factor : 1;
    });
    for (const verdict of verdicts) {
      const { kind, series, incident } = verdict;
      if ((kind !== 'opens' && kind !== 'joins') || series.kind !== 'events') continue;
      if (verdict.finding.side !== UP) continue;
      incidents.set(Number(series.source), incident);
    }
  }
  return incidents.has(first) && incidents.has(second) ? [incidents.get(first), incidents.get(second)] : null;
}
