import type { SeriesState } from '../state/series-state.ts';

/** Series are binned by level, so that pooling costs the series times the bins, not the series squared. */
export const LEVEL_BINS = 16;
const MIN_LOG_LEVEL = -10;
/** Width of a bin: series whose levels differ by a factor of e^1.5 share e⁻¹ of their weight. */
const REACH = 1.5;

/** States of a project's series. Each is valid until the next one, so that one view can serve for all. */
export interface AllStates {
  forEach: (take: (state: SeriesState) => void) => void;
}

/** Returns the bin of a series by its level. */
export function binOf({ level }: SeriesState): number {
  const bin = Math.round((Math.log(level) - MIN_LOG_LEVEL) / REACH);
  return Math.min(LEVEL_BINS - 1, Math.max(0, bin));
}

/** Sums over the series of a bin, or over all bins by their distance; the fields are those of what is pooled. */
export type Sums<Field extends string> = Record<Field, number>;

/** Returns for each bin the sums of all bins, weighted by e⁻¹ to the power of their distance. */
export function spreadOverBins<Field extends string>(
  bins: readonly Sums<Field>[],
  fields: readonly Field[],
): Sums<Field>[] {
  return bins.map((own, to) => {
    const around = { ...own };
    for (const field of fields)
      around[field] = bins.reduce<number>(
        (sum, bin, from) => sum + Math.exp(-Math.abs(to - from)) * bin[field],
        0,
      );
    return around;
  });
}
