import { seedsOf } from '@tocsin/simulation/random';
import { meanOf, SERIES } from '@tocsin/simulation/streams';
import { SimulatedProject } from './project.mjs';

/** The kinds of stream that trouble is put into: with bursts and cycles, as real ones have. */
export const STREAMS = ['Poisson', 'NB φ 1–24', 'daily and weekly cycle', 'Cox σ 0.5, 10 min', 'thinned'];
const WARM_UP_MINUTES = 2 * 10_080;

/**
 * Projects that have been watched for two weeks, at the default budget.
 * @param {{ projects: number, half: 'tune' | 'report' }} options shared out over the kinds of stream
 */
export function warmProjects({ projects, half }) {
  const each = Math.max(1, Math.round(projects / STREAMS.length));
  return STREAMS.flatMap((kind) =>
    seedsOf(half, each).map((seed) => {
      const project = new SimulatedProject(kind, seed, 1);
      for (let minute = 0; minute < WARM_UP_MINUTES; minute++) project.step();
      return { project, saved: project.save(), minute: project.minute };
    }),
  );
}

/** Numbers of the series whose mean is within this factor of a rate. @param {number} rate @param {number} factor */
export function seriesNear(rate, factor) {
  return Array.from({ length: SERIES }, (_, series) => series).filter(
    (series) => Math.abs(Math.log(meanOf(series) / rate)) < Math.log(factor),
  );
}

/** @param {number} part @param {number} all */
export function percent(part, all) {
  return all === 0 ? '' : `${Math.round((100 * part) / all)}%`;
}

/** @param {number[]} values */
export function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}
