import type { Random } from './random.ts';

/** A stream without anomalies: from minute to expected count, to be drawn from. */
export type Stream = (minute: number, factor: number) => number;
export type Kind = (random: Random, mean: number) => Stream;
