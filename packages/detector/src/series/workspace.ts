import { createWindowCounts, type WindowCounts } from './windows.ts';

/** Blocks whose maxima are sorted at once, at most. */
const MAX_SORTED = 512;

/**
 * Scratch space of an evaluation, passed in so that none is allocated for each step. It holds nothing between calls, so
 * any number of series may share one.
 */
export interface Workspace {
  windows: WindowCounts;
  sorted: Uint8Array;
}

export function createWorkspace(): Workspace {
  return { windows: createWindowCounts(), sorted: new Uint8Array(MAX_SORTED) };
}
