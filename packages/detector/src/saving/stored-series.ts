import type { FittedTail } from '../calibration/thresholds.ts';
import type { SavedGroup } from '../group/series-group.ts';
import type { SavedSparseSeries } from '../group/sparse-series.ts';
import type { SavedSeries } from '../group/tracked-series.ts';
import { ExpectedSilence } from '../series/expected-silence.ts';

/*
 * How series are saved, under keys that are older than the names in the program: see `stored-project.ts`.
 */

export interface StoredSeries {
  weight: number;
  count: number;
  late?: number;
  isTouched: boolean;
  isTrouble: boolean;
  isPartial: boolean;
}

/** Of programs that pooled maxima; now null. */
export type StoredTails = { scale: number; place: number; maxima: number }[] | null;

/** The states and maxima of coarse steps are saved beside it. */
export interface StoredSparseSeries {
  indices: number[];
  unknownMinutes: number[];
  unlearnedMinutes?: [number, number][][];
  /** In base64. */
  silences?: [number, string][];
  groups: { members: StoredSeries[]; steps: number }[];
}

export interface RestoredGroup extends Omit<SavedGroup, 'tracked' | 'pooledTails'> {
  tracked: Omit<SavedSeries, 'state'>[];
}

export interface RestoredSparseSeries extends Omit<SavedSparseSeries, 'groups'> {
  groups: RestoredGroup[];
}

export const fromStoredTails = (stored: StoredTails): FittedTail[] | null =>
  stored?.map(({ scale, place, maxima }) => ({ scale, location: place, count: maxima })) ?? null;

export function toStoredSparseSeries({
  groups,
  unknownMinutes,
  unlearnedMinutes,
  silences = [],
}: SavedSparseSeries): StoredSparseSeries {
  return {
    indices: groups[0]?.indices ?? [],
    unknownMinutes,
    ...(unlearnedMinutes && { unlearnedMinutes }),
    silences: silences.map(([index, silence]) => [index, Buffer.from(silence.toBytes()).toString('base64')]),
    groups: groups.map(({ tracked, steps }) => ({
      members: tracked.map(toStoredSeries),
      steps,
    })),
  };
}

export function fromStoredSparseSeries(stored: StoredSparseSeries): RestoredSparseSeries {
  const { indices, unknownMinutes, unlearnedMinutes, groups, silences = [] } = stored;
  return {
    unknownMinutes,
    ...(unlearnedMinutes && { unlearnedMinutes }),
    silences: silences.map(([index, bytes]) => [index, new ExpectedSilence(Buffer.from(bytes, 'base64'))]),
    groups: groups.map(({ members, steps }) => ({
      indices,
      tracked: members.map(fromStoredSeries),
      steps,
      weights: 0,
    })),
  };
}

export function toStoredSeries(tracked: SavedSeries): StoredSeries {
  const { weight, count, lateCount, hasNewCounts, isErrorSeries, isPartial } = tracked;
  const late = lateCount > 0 && { late: lateCount };
  return { weight, count, ...late, isTouched: hasNewCounts, isTrouble: isErrorSeries, isPartial };
}

export function fromStoredSeries(stored: StoredSeries): Omit<SavedSeries, 'state'> {
  const { weight, count, late = 0, isTouched, isTrouble, isPartial } = stored;
  const flags = { hasNewCounts: isTouched, isErrorSeries: isTrouble, isPartial };
  return { weight, count, lateCount: late, ...flags };
}
