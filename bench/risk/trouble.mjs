import { seedsOf } from '@tocsin/simulation/random';
import { meanOf, SERIES } from '@tocsin/simulation/streams';
import { BASELINES } from './baselines.mjs';
import { SimulatedProject } from './project.mjs';
import { printTable } from './table.mjs';
import { STREAMS } from './warm-projects.mjs';

const WEEK = 10_080;
const WARM_UP = WEEK;
const JUDGED = WEEK;
const TROUBLE_MINUTES = 60;
/** A rule that has spoken is not heard again for so long: repetitions are no further false alarms. */
const REFRACTORY_MINUTES = 60;
const TROUBLES = [
  ['×1.5', 1.5],
  ['×2', 2],
  ['×3', 3],
  ['×10', 10],
  ['×100', 100],
  ['to half', 0.5],
  ['to a tenth', 0.1],
  ['silence', 0],
  ['one silent minute', 0, 1],
];
const RATES = [0.01, 0.1, 1, 10, 100, 1_000];

/**
 * Trouble put into the streams: what share is found within the hour, and after how many minutes. The rules that are
 * common in production are given the thresholds at which each would raise as many false alarms as the budget allows.
 * @param {{ projects: number, half: 'tune' | 'report' }} options projects for each kind of stream
 */
export function evaluateTrouble({ projects, half }) {
  const each = Math.max(1, Math.round(projects / STREAMS.length));
  const runs = STREAMS.flatMap((kind) => seedsOf(half, each).map((seed) => ({ kind, seed })));
  const names = Object.keys(BASELINES);
  const maxima = names.map(() => [/** @type {number[]} */ ([]), /** @type {number[]} */ ([])]);
  let falseIncidents = 0;
  const warm = runs.map(({ kind, seed }) => {
    const project = new SimulatedProject(kind, seed, 1);
    const states = names.map((name) => Array.from({ length: SERIES }, () => BASELINES[name].create()));
    const peaks = names.map(() => [new Peaks(), new Peaks()]);
    for (let minute = 0; minute < WARM_UP + JUDGED; minute++) {
      for (const { kind: verdict } of project.step())
        if (verdict === 'opens' && minute >= WARM_UP) falseIncidents++;
      names.forEach((name, index) => {
        let [up, down] = [0, 0];
        for (let series = 0; series < SERIES; series++) {
          const [rise, drop] = BASELINES[name].judge(states[index][series], project.counts[series]);
          up = Math.max(up, rise);
          down = Math.max(down, drop);
        }
        if (minute < WARM_UP) return;
        peaks[index][0].take(minute, up);
        peaks[index][1].take(minute, down);
      });
    }
    names.forEach((_, index) =>
      [0, 1].forEach((side) => maxima[index][side].push(...peaks[index][side].values())),
    );
    return { project, saved: project.save(), minute: project.minute, states, streams: project.streams };
  });
  // The budget is one a week; half of it for each side.
  const allowed = runs.length / 2;
  const thresholds = maxima.map((sides) =>
    sides.map((values) => values.toSorted((a, b) => b - a)[Math.floor(allowed)] ?? 0),
  );
  const rows = [];
  for (const [title, factor, minutes = TROUBLE_MINUTES] of TROUBLES) {
    for (const rate of RATES) {
      const series = Array.from({ length: SERIES }, (_, i) => i).filter(
        (i) => Math.abs(Math.log10(meanOf(i) / rate)) < 0.5,
      );
      const delays = [[], ...names.map(() => [])];
      for (const run of warm) injectOne(run, { series, factor, minutes, names, thresholds, delays });
      const all = warm.length * series.length;
      rows.push([title, rate, ...delays.map((found) => describe(found, all))]);
    }
  }
  console.log(
    `\nFalse incidents a project-week of ours: ${(falseIncidents / runs.length).toFixed(2)}; of the others: 1.`,
  );
  console.log(
    `Thresholds: ${names.map((name, i) => `${name} ${thresholds[i].map((t) => t.toFixed(1)).join(' / ')}`).join('; ')}`,
  );
  printTable(
    'Injected trouble: found within the hour, median delay in minutes',
    ['Trouble', 'A minute', 'Tocsin', ...names],
    rows,
  );
}

/** One trouble for the series of one rate, in a copy of the project. */
function injectOne(
  { project, saved, minute, states },
  { series, factor, minutes, names, thresholds, delays },
) {
  project.load(saved, minute);
  const hit = new Set(series);
  const side = factor > 1 ? 0 : 1;
  const copies = names.map((_, index) => series.map((number) => structuredClone(states[index][number])));
  const found = [new Map(), ...names.map(() => new Map())];
  const note = (index, number, delay) => found[index].has(number) || found[index].set(number, delay);
  for (let passed = 0; passed < TROUBLE_MINUTES; passed++) {
    const verdicts = project.step((number) => (hit.has(number) && passed < minutes ? factor : 1));
    if (passed >= minutes + 3) break;
    for (const verdict of verdicts) {
      if (verdict.kind !== 'opens' && verdict.kind !== 'joins') continue;
      const number = verdict.series.kind === 'events' ? Number(verdict.series.source) : -1;
      if (verdict.finding.side === side && hit.has(number)) note(0, number, passed + 1);
    }
    names.forEach((name, index) =>
      series.forEach((number, i) => {
        const statistic = BASELINES[name].judge(copies[index][i], project.counts[number])[side];
        if (statistic > thresholds[index][side]) note(index + 1, number, passed + 1);
      }),
    );
  }
  found.forEach((map, index) => delays[index].push(...map.values()));
}

function describe(found, all) {
  const share = `${Math.round((100 * found.length) / all)}%`;
  return found.length === 0
    ? share
    : `${share} ${found.toSorted((a, b) => a - b)[Math.floor(found.length / 2)]}`;
}

/** The largest values of episodes that are an hour apart: how many there are above a threshold is what it costs. */
class Peaks {
  #values = [];
  #untilMinute = -1;

  take(minute, value) {
    const last = this.#values.length - 1;
    if (minute < this.#untilMinute) {
      this.#values[last] = Math.max(this.#values[last], value);
      return;
    }
    this.#values.push(value);
    this.#untilMinute = minute + REFRACTORY_MINUTES;
  }

  values() {
    return this.#values;
  }
}
