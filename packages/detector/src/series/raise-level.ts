import type { Resolution } from '../state/resolution.ts';
import { AT, MEMORIES, type SeriesMemory } from '../state/series-state.ts';
import { predict } from './level.ts';

/**
 * Raises what is expected of a series, as if so many more events had come in every step that is remembered: what
 * counts from now on was there before, and its beginning is no rise.
 */
export function raiseLevel({ numbers }: SeriesMemory, resolution: Resolution, perStep: number): void {
  for (let i = 0; i < MEMORIES; i++) {
    numbers[AT.sums + i] = (numbers[AT.sums + i] as number) + perStep * (numbers[AT.times + i] as number);
  }
  for (let at = AT.counts; at < AT.shapes; at++) numbers[at] = (numbers[at] as number) + perStep;
  predict(numbers, resolution);
}
