import { poissonInterval } from '@tocsin/simulation/poisson-interval';
import { type Half, seedsOf } from '@tocsin/simulation/random';
import { type KindName, SERIES } from '@tocsin/simulation/streams';
import type { Composition } from './composition.ts';
import { type FalseIncident, NULL_WEEKS, type NullJob, type NullResult } from './null-project.ts';
import { runNullProjects } from './null-threads.ts';
import { printTable } from './table.ts';

const WEEK = 10_080;
/** A stream and budget break the bar where even the lower limit of their false incidents is over so many budgets. */
const BAR = 1.5;

const INFO_STREAMS: KindName[] = [
  'Poisson',
  'NB φ 1–24',
  'NB φ 24',
  'daily and weekly cycle',
  'Cox σ 0.5, 10 min',
  'Cox σ 1, 10 min',
  'Cox σ 0.5, 4 h',
  'Cox σ 1, 4 h',
  'thinned',
  'working hours',
];
const MIXED_STREAMS: KindName[] = [
  'Poisson',
  'daily and weekly cycle',
  'Hawkes',
  'two states',
  'days that differ',
  'zero-inflated',
  'deploys',
  'AR(1) σ 0.5, 45 min',
  'AR(1) σ 0.5, 24 h',
];

interface NullStream {
  title: string;
  kind: KindName;
  composition: Composition;
}

const STREAMS: NullStream[] = [
  ...INFO_STREAMS.map((kind): NullStream => ({ title: kind, kind, composition: 'info' })),
  ...MIXED_STREAMS.map((kind): NullStream => ({ title: `${kind}, mixed`, kind, composition: 'mixed' })),
  { title: 'Poisson, payers who try again', kind: 'Poisson', composition: 'clumped' },
];

export interface NullOptions {
  budgets: number[];
  projects: number;
  half: Half;
  /** Parts of the names of streams; none: all. */
  streams: string[];
  threads: number;
  /** Prints each false incident. */
  isListed: boolean;
}

/**
 * Streams in which nothing is wrong: what opens is false. Beside it stands that the detector is not deaf:
 * how many of the same series show it within an hour when they send five times as much, or nothing.
 */
export async function evaluateNullStreams(options: NullOptions): Promise<void> {
  const { budgets, projects, half } = options;
  const seeds = seedsOf(half, projects);
  const combinations = STREAMS.filter(
    ({ title }) => options.streams.length === 0 || options.streams.some((part) => title.includes(part)),
  ).flatMap((stream) => budgets.map((budget) => ({ ...stream, budget })));
  if (combinations.length === 0)
    throw new Error(`Streams are ${STREAMS.map(({ title }) => title).join('; ')}.`);
  const jobs: NullJob[] = combinations.flatMap(({ kind, composition, budget }) =>
    seeds.map((seed) => ({ kind, composition, budget, seed })),
  );
  const results = await runNullProjects(jobs, options.threads);
  let broken = 0;
  const rows = combinations.map(({ title, budget }, index) => {
    const ofBoth = results.slice(index * projects, (index + 1) * projects);
    if (options.isListed)
      for (const [i, { incidents }] of ofBoth.entries()) list(title, seeds[i] ?? 0, incidents);
    const incidents = ofBoth.flatMap((result) => result.incidents);
    const isEarly = ({ minute }: FalseIncident) => minute <= WEEK;
    const early = incidents.filter(isEarly).length;
    const first = overBudget(early, budget * projects);
    const later = overBudget(incidents.length - early, budget * projects * (NULL_WEEKS - 1));
    broken += Number(first.isBroken) + Number(later.isBroken);
    const sum = (of: (result: NullResult) => number) => ofBoth.reduce((all, result) => all + of(result), 0);
    const share = (of: 'rise' | 'silence') =>
      `${Math.round((100 * sum((result) => result[of].found)) / sum((result) => result[of].all))}%`;
    const perWeek = (count: number) => (count / projects / NULL_WEEKS).toFixed(2);
    return [
      title,
      budget,
      first.text,
      later.text,
      incidents.filter(({ isDrop }) => isDrop).length,
      incidents.filter(({ isDrop }) => !isDrop).length,
      perWeek(sum(({ alarms }) => alarms)),
      perWeek(sum(({ beatsMissed }) => beatsMissed)),
      share('rise'),
      share('silence'),
    ];
  });
  const head = [
    'Stream',
    'Budget',
    'Week 1',
    `Weeks 2–${NULL_WEEKS}`,
    'Drops',
    'Rises',
    'Alarms a week',
    'Beats missed',
    '×5 found',
    'Silence found',
  ];
  printTable(
    `Null streams: false incidents over the budget, ${projects} projects of ${SERIES} series [exact 95%]`,
    head,
    rows,
  );
  console.log(
    `\n${broken} of ${2 * rows.length} figures are over ${BAR} budgets with their lower limit (bold).`,
  );
}

function overBudget(incidents: number, allowed: number): { text: string; isBroken: boolean } {
  const [low, high] = poissonInterval(incidents).map((limit) => limit / allowed) as [number, number];
  const text = `${(incidents / allowed).toFixed(2)} [${low.toFixed(2)}–${high.toFixed(2)}]`;
  return low > BAR ? { text: `**${text}**`, isBroken: true } : { text, isBroken: false };
}

function list(title: string, seed: number, incidents: FalseIncident[]): void {
  for (const { minute, what } of incidents) {
    console.log(`${title}, seed ${seed}, day ${(minute / 1_440).toFixed(2)}: ${what}`);
  }
}
