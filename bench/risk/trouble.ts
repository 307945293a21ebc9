import { DOWN, UP } from '@tocsin/detector';
import { seedsOf } from '@tocsin/simulation/random';
import { type KindName, meanOf, SERIES } from '@tocsin/simulation/streams';
import { median } from '../support/median.ts';
import { BASELINES, type BaselineState } from './baselines.ts';
import { Peaks } from './peaks.ts';
import { SimulatedProject } from './project.ts';
import { printTable } from './table.ts';
import { type EvaluationOptions, percent, STREAMS, type WarmProject } from './warm-projects.ts';

const WEEK = 10_080;
const WARM_UP_MINUTES = WEEK;
const JUDGED_MINUTES = WEEK;
const TROUBLE_MINUTES = 60;
/** Found at most this many minutes after a short trouble is over. */
const GRACE_MINUTES = 3;
/** Title, factor of the rate, minutes. */
const TROUBLES: [string, number, number][] = [
  ['×1.5', 1.5, TROUBLE_MINUTES],
  ['×2', 2, TROUBLE_MINUTES],
  ['×3', 3, TROUBLE_MINUTES],
  ['×10', 10, TROUBLE_MINUTES],
  ['×100', 100, TROUBLE_MINUTES],
  ['to half', 0.5, TROUBLE_MINUTES],
  ['to a tenth', 0.1, TROUBLE_MINUTES],
  ['silence', 0, TROUBLE_MINUTES],
  ['one silent minute', 0, 1],
];
const RATES = [0.01, 0.1, 1, 10, 100, 1_000];
const SIDES = [UP, DOWN] as const;

/** A project with the baselines that have watched the same counts. */
interface WatchedProject extends WarmProject {
  /** By baseline and series. */
  states: BaselineState[][];
  /** By baseline and side. */
  peaks: [Peaks, Peaks][];
  falseIncidents: number;
}

/**
 * Trouble put into the streams: what share is found within the hour, and after how many minutes. The rules that are
 * common in production are given the thresholds at which each would raise as many false alarms as the budget allows.
 */
export function evaluateTrouble({ projects, half }: EvaluationOptions): void {
  const each = Math.max(1, Math.round(projects / STREAMS.length));
  const watched = STREAMS.flatMap((kind) => seedsOf(half, each).map((seed) => watch(kind, seed)));
  const thresholds = BASELINES.map((_, baseline) =>
    SIDES.map((side) => {
      const values = watched.flatMap(({ peaks }) => peaks[baseline]?.[side].values ?? []);
      // The budget is one a week; half of it for each side.
      return values.toSorted((a, b) => b - a)[Math.floor(watched.length / 2)] ?? 0;
    }),
  );
  const rows: (string | number)[][] = [];
  for (const [title, factor, minutes] of TROUBLES) {
    for (const rate of RATES) {
      const series = Array.from({ length: SERIES }, (_, i) => i).filter(
        (i) => Math.abs(Math.log10(meanOf(i) / rate)) < 0.5,
      );
      const found = watched.map((run) => injectOne(run, { series, factor, minutes, thresholds }));
      const delays = [0, ...BASELINES.map((_, index) => index + 1)].map((method) =>
        found.flatMap((byMethod) => byMethod[method] ?? []),
      );
      rows.push([title, rate, ...delays.map((each) => describe(each, watched.length * series.length))]);
    }
  }
  const names = BASELINES.map(({ name }) => name);
  const falseIncidents = watched.reduce((sum, run) => sum + run.falseIncidents, 0);
  console.log(
    `\nFalse incidents a project-week of ours: ${(falseIncidents / watched.length).toFixed(2)}; of the others: 1.`,
  );
  console.log(
    `Thresholds: ${names.map((name, i) => `${name} ${thresholds[i]?.map((t) => t.toFixed(1)).join(' / ')}`).join('; ')}`,
  );
  printTable(
    'Injected trouble: found within the hour, median delay in minutes',
    ['Trouble', 'A minute', 'Tocsin', ...names],
    rows,
  );
}

/** Two weeks without trouble: one to learn, one in which each exceedance is false. */
function watch(kind: KindName, seed: number): WatchedProject {
  const project = new SimulatedProject(kind, seed, 1);
  const states = BASELINES.map(({ create }) => Array.from({ length: SERIES }, create));
  const peaks = BASELINES.map((): [Peaks, Peaks] => [new Peaks(), new Peaks()]);
  let falseIncidents = 0;
  for (let minute = 0; minute < WARM_UP_MINUTES + JUDGED_MINUTES; minute++) {
    const opened = project.step().filter((event) => event.kind === 'opens').length;
    if (minute >= WARM_UP_MINUTES) falseIncidents += opened;
    BASELINES.forEach(({ score }, index) => {
      let [up, down] = [0, 0];
      states[index]?.forEach((state, series) => {
        const [rise, drop] = score(state, project.counts[series] ?? 0);
        up = Math.max(up, rise);
        down = Math.max(down, drop);
      });
      if (minute < WARM_UP_MINUTES) return;
      peaks[index]?.[UP].add(minute, up);
      peaks[index]?.[DOWN].add(minute, down);
    });
  }
  return { project, saved: project.save(), minute: project.minute, states, peaks, falseIncidents };
}

interface Injection {
  series: number[];
  factor: number;
  minutes: number;
  thresholds: number[][];
}

/**
 * One trouble for the series of one rate, in a copy of the project.
 * @returns delays in minutes of the series in which it was found: by the detector first, then by each baseline
 */
function injectOne(
  { project, saved, minute, states }: WatchedProject,
  { series, factor, minutes, thresholds }: Injection,
): number[][] {
  project.load(saved, minute);
  const affected = new Set(series);
  const side = factor > 1 ? UP : DOWN;
  const copies = states.map((all) => series.map((number) => structuredClone(all[number])));
  const found = [0, ...BASELINES].map(() => new Map<number, number>());
  const note = (method: number, number: number, delay: number) => {
    const delays = found[method];
    if (delays && !delays.has(number)) delays.set(number, delay);
  };
  for (let passed = 0; passed < Math.min(TROUBLE_MINUTES, minutes + GRACE_MINUTES); passed++) {
    const events = project.step((number) => (affected.has(number) && passed < minutes ? factor : 1));
    for (const event of events) {
      if (event.kind !== 'opens' && event.kind !== 'attaches') continue;
      const number = event.series.kind === 'events' ? Number(event.series.source) : -1;
      if (event.anomaly.side === side && affected.has(number)) note(0, number, passed + 1);
    }
    BASELINES.forEach(({ score }, index) =>
      series.forEach((number, i) => {
        const state = copies[index]?.[i];
        const statistic = state ? score(state, project.counts[number] ?? 0)[side] : 0;
        if (statistic > (thresholds[index]?.[side] ?? 0)) note(index + 1, number, passed + 1);
      }),
    );
  }
  return found.map((delays) => [...delays.values()]);
}

function describe(delays: number[], all: number): string {
  return delays.length === 0 ? '0%' : `${percent(delays.length, all)} ${median(delays)}`;
}
