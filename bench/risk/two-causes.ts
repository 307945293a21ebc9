import { type DetectorEvent, type RiskSeries } from '@tocsin/detector';
import { Random, seedsOf } from '@tocsin/simulation/random';
import type { Project, Stream } from './scenarios/project-definition.ts';
import { MICROSERVICES, SHOP } from './scenarios/projects.ts';
import { at, DAY, HOUR, isErrorStream, type Trouble } from './scenarios/scenario.ts';
import { type SavedService, SimulatedService } from './scenarios/simulated-service.ts';
import { printTable } from './table.ts';
import { type EvaluationOptions, percent } from './warm-projects.ts';

/** A shop and ten services in one project, which have nothing to do with each other. */
const PROJECT: Project = {
  name: 'shop and services',
  streams: [...SHOP.streams, ...MICROSERVICES.streams],
  jobs: SHOP.jobs,
};
const HISTORY_DAYS = 15;
const BEGINS_AT = at(14);
/** After the later one has begun. */
const WATCHED_MINUTES = 45;

/** Minutes between the beginnings of the two. */
const DISTANCES: [number, number][] = [
  [0, 3],
  [3, 10],
  [10, 30],
  [30, 60],
];

interface Cause {
  sources: string[];
  minutes: number;
  factor: (stream: Stream) => number;
}

const calls = (factor: number, ofErrors: number) => (stream: Stream) =>
  isErrorStream(stream) ? ofErrors : factor;

const SHOP_CAUSES: Cause[] = [
  { sources: ['web'], minutes: 30, factor: calls(1, 60) },
  { sources: ['web'], minutes: 30, factor: ({ severity }) => (severity === 'warn' ? 100 : 1) },
  { sources: ['api'], minutes: 30, factor: calls(8, 50) },
  { sources: ['worker'], minutes: HOUR, factor: () => 0 },
  { sources: ['pay'], minutes: HOUR, factor: () => 0 },
  { sources: ['web', 'api', 'pay'], minutes: HOUR, factor: () => 20 },
];
const SERVICE_CAUSES: Cause[] = [
  { sources: ['svc9'], minutes: HOUR, factor: () => 0 },
  { sources: ['svc8'], minutes: 30, factor: calls(1, 60) },
  { sources: ['svc7'], minutes: 30, factor: () => 6 },
  { sources: ['svc5', 'svc6'], minutes: 30, factor: calls(0.3, 60) },
  { sources: Array.from({ length: 10 }, (_, i) => `svc${i}`), minutes: HOUR, factor: calls(0.3, 60) },
];
const PAIRS = SHOP_CAUSES.flatMap((shop) => SERVICE_CAUSES.map((service): [Cause, Cause] => [shop, service]));

/** Two causes that share no source begin one after the other: in how many pairs the later one has no incident of its own. */
export function evaluateTwoCauses({ projects, half }: EvaluationOptions): void {
  const random = new Random(1);
  const histories = seedsOf(half, projects).map((seed) => ({ seed, history: historyOf(seed) }));
  const rows = DISTANCES.map(([from, to]) => {
    const runs = histories.flatMap(({ seed, history }) =>
      PAIRS.map((pair) => {
        const distance = from + Math.floor((to - from) * random.uniform());
        const [first, second] = random.uniform() < 0.5 ? pair : ([pair[1], pair[0]] as const);
        return runPair({ seed, history }, { first, second, distance });
      }),
    );
    const found = runs.filter((run) => run !== 'not found');
    const merged = found.filter((run) => run === 'one incident');
    return [
      `${from} to ${to}`,
      runs.length,
      percent(found.length, runs.length),
      percent(merged.length, found.length),
    ];
  });
  printTable(
    'Two unrelated causes of disjoint sources',
    ['Minutes between', 'Pairs', 'Both found', 'Grouped as one'],
    rows,
  );
}

function historyOf(seed: number): SavedService {
  const service = SimulatedService.begin(PROJECT, seed, 0);
  while (service.minute < HISTORY_DAYS * DAY + BEGINS_AT) service.step();
  return service.save();
}

interface Pair {
  first: Cause;
  second: Cause;
  distance: number;
}

function runPair(
  { seed, history }: { seed: number; history: SavedService },
  pair: Pair,
): 'one incident' | 'two incidents' | 'not found' {
  const name = `${pair.first.sources.join()} ${pair.second.sources.join()} ${pair.distance}`;
  const service = SimulatedService.resume(PROJECT, seed, { ...history, name });
  const trouble = toTrouble(pair);
  const begin = service.minute;
  const ofFirst = new Set<number>();
  const ofSecond = new Set<number>();
  while (service.minute < begin + pair.distance + WATCHED_MINUTES) {
    for (const event of service.step({ trouble, begin }).events) {
      if (isAlarmOf(event, pair.first)) ofFirst.add(event.incident);
      if (isAlarmOf(event, pair.second)) ofSecond.add(event.incident);
    }
  }
  if (ofFirst.size === 0 || ofSecond.size === 0) return 'not found';
  return [...ofSecond].every((incident) => ofFirst.has(incident)) ? 'one incident' : 'two incidents';
}

function toTrouble({ first, second, distance }: Pair): Trouble {
  const factorOf = ({ sources, minutes, factor }: Cause, stream: Stream, minute: number) =>
    minute >= 0 && minute < minutes && sources.includes(stream.source) ? factor(stream) : 1;
  return {
    minutes: distance + WATCHED_MINUTES,
    factor: (stream, minute) => factorOf(first, stream, minute) * factorOf(second, stream, minute - distance),
  };
}

type Alarm = Extract<DetectorEvent, { kind: 'opens' | 'attaches' }>;

/** Sums belong to both. */
function isAlarmOf(event: DetectorEvent, { sources }: Cause): event is Alarm {
  if (event.kind !== 'opens' && event.kind !== 'attaches') return false;
  const { source }: RiskSeries = event.series;
  return source !== null && sources.includes(source);
}
