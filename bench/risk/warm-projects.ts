import { type Half, seedsOf } from '@tocsin/simulation/random';
import { type KindName, meanOf, SERIES } from '@tocsin/simulation/streams';
import { SimulatedProject } from './project.ts';

/** The kinds of stream that trouble is put into: with bursts and cycles, as real ones have. */
export const STREAMS: KindName[] = [
  'Poisson',
  'NB φ 1–24',
  'daily and weekly cycle',
  'Cox σ 0.5, 10 min',
  'thinned',
];
const WARM_UP_MINUTES = 2 * 10_080;

export interface EvaluationOptions {
  /** Shared out over the kinds of stream. */
  projects: number;
  half: Half;
}

/** A project, and the state to which it is set back before each run. */
export interface WarmProject {
  project: SimulatedProject;
  saved: Uint8Array;
  minute: number;
}

/** Projects that have been watched for two weeks, at the default budget. */
export function warmProjects({ projects, half }: EvaluationOptions): WarmProject[] {
  const each = Math.max(1, Math.round(projects / STREAMS.length));
  return STREAMS.flatMap((kind) =>
    seedsOf(half, each).map((seed) => {
      const project = new SimulatedProject(kind, seed, 1);
      for (let minute = 0; minute < WARM_UP_MINUTES; minute++) project.step();
      return { project, saved: project.save(), minute: project.minute };
    }),
  );
}

/** Numbers of the series whose mean is within this factor of a rate. */
export function seriesNear(rate: number, factor: number): number[] {
  return Array.from({ length: SERIES }, (_, series) => series).filter(
    (series) => Math.abs(Math.log(meanOf(series) / rate)) < Math.log(factor),
  );
}

/** Empty where there is nothing to take a share of. */
export function percent(part: number, all: number): string {
  return all === 0 ? '' : `${Math.round((100 * part) / all)}%`;
}
