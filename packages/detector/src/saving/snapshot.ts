import { POOLED_TAILS_BYTES } from '../calibration/pooled-tails.ts';
import { SHARE_BYTES, ShareState } from '../exposure/share-state.ts';
import type { SavedSparseSeries } from '../group/sparse-series.ts';
import type { SavedProject } from '../project/project-parts.ts';
import type { SavedShare, Trials } from '../project/share-monitor.ts';
import { COARSE_STEPS, type CoarseStep } from '../state/resolution.ts';
import {
  coarseLayoutOf,
  FORMER_SERIES_BYTES,
  SERIES_BYTES,
  SERIES_BYTES_WITHOUT_USUAL,
} from '../state/series-layout.ts';
import { SeriesState } from '../state/series-state.ts';
import { fromStored, type StoredProject, toStored } from './stored-project.ts';
import type { RestoredSparseSeries } from './stored-series.ts';

/** Raised where saved bytes change their meaning, which makes earlier ones worthless. Raise `DETECTOR_VERSION` as well. */
const VERSION = 2;
const HEAD_BYTES = 4;

/** What a series has beyond what earlier programs read; they read a project that is saved by this one, without it. */
const ADDED_BYTES = SERIES_BYTES_WITHOUT_USUAL - FORMER_SERIES_BYTES;
const USUAL_BYTES = SERIES_BYTES - SERIES_BYTES_WITHOUT_USUAL;

/**
 * Where the pooled tails are, programs before kept the maxima of 8 windows, 512 bytes and a count of each. The counts stay
 * zero, so that they read none.
 */
const FORMER_POOL_BYTES = 8 * 512 + 8 * 4;

type StoredHead = StoredProject & {
  version: number;
  /** Missing where series are of `FORMER_SERIES_BYTES`. */
  addedBytes?: number;
  /** Of the largest usual evidence of each series, after the shares. Missing: written by a program before it. */
  usualBytes?: number;
  /** The index, the first minute and the trials of each share; their bytes come last. Missing: written by a program before them. */
  shares?: [index: number, firstMinute: number, trials: Trials][];
  /** Missing where the project has pooled maxima in their place. */
  hasPooledTails?: boolean;
};

/**
 * Bytes of a length, as much JSON, then the pooled tails of the project and each series as they lie in memory: first of
 * all of them what earlier programs read, then of all of them what was added since; then, by coarse step, the pooled
 * tails, and the states of sparse series; then each share; then, of each series, its largest usual evidence.
 */
export function toBytes(project: SavedProject): Uint8Array {
  const { pooledTails, tracked } = project.group;
  const shares = project.shares?.map(([index, { trials, state }]) => [index, state.firstMinute, trials]);
  const head = {
    ...toStored(project),
    version: VERSION,
    addedBytes: ADDED_BYTES,
    usualBytes: USUAL_BYTES,
    hasPooledTails: true,
    shares,
  };
  const json = Buffer.from(JSON.stringify(head));
  const length = Buffer.alloc(HEAD_BYTES);
  length.writeUInt32LE(json.length);
  const series = tracked.map(({ state }) => state.toBytes());
  const former = series.map((bytes) => bytes.subarray(0, FORMER_SERIES_BYTES));
  const added = series.map((bytes) => bytes.subarray(FORMER_SERIES_BYTES, SERIES_BYTES_WITHOUT_USUAL));
  const usual = series.map((bytes) => bytes.subarray(SERIES_BYTES_WITHOUT_USUAL));
  const sparse = (project.sparse?.groups ?? []).flatMap((group) => [
    group.pooledTails,
    ...group.tracked.map(({ state }) => state.toBytes()),
  ]);
  const ofShares = (project.shares ?? []).map(([, { state }]) => state.toBytes());
  const padding = Buffer.alloc(FORMER_POOL_BYTES - POOLED_TAILS_BYTES);
  const parts = [pooledTails, padding, ...former, ...added, ...sparse, ...ofShares, ...usual];
  return Buffer.concat([length, json, ...parts]);
}

/** Null where the bytes are of another version: then the detection state of the project is reset. */
export function fromBytes(bytes: Uint8Array): SavedProject | null {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let end = HEAD_BYTES + all.readUInt32LE(0);
  const take = (length: number) => all.subarray(end, (end += length));
  // Written by `toBytes`; another version has other keys, and is not read.
  const head = JSON.parse(all.toString('utf8', HEAD_BYTES, end)) as StoredHead;
  const { version, addedBytes = 0, usualBytes = 0, hasPooledTails = false, shares, ...stored } = head;
  if (version !== VERSION) return null;
  const { group, sparse, ...project } = fromStored(stored);
  const { formerTails, ...restored } = group;
  // All parts are taken in the order in which they lie.
  const pooledTails = take(FORMER_POOL_BYTES).subarray(0, POOLED_TAILS_BYTES);
  const former = group.tracked.map(() => take(FORMER_SERIES_BYTES));
  const added = group.tracked.map(() => take(addedBytes));
  const ofSparse = sparse && fromSparseBytes(sparse, take);
  const ofShares = shares?.map(
    ([index, firstMinute, trials]): SavedShare => [
      index,
      { trials, state: new ShareState(firstMinute, take(SHARE_BYTES)) },
    ],
  );
  const tracked = group.tracked.map((one, index) => {
    const parts = [former[index] ?? Buffer.of(), added[index] ?? Buffer.of(), take(usualBytes)];
    return { ...one, state: new SeriesState(Buffer.concat(parts)) };
  });
  return {
    ...project,
    group: {
      ...restored,
      tracked,
      pooledTails,
      ...(!hasPooledTails && { formerTails: formerTails ?? null }),
    },
    ...(ofSparse && { sparse: ofSparse }),
    ...(ofShares && { shares: ofShares }),
  };
}

function fromSparseBytes(
  { groups, ...others }: RestoredSparseSeries,
  take: (length: number) => Uint8Array,
): SavedSparseSeries {
  const restored = groups.map((group, at) => {
    const layout = coarseLayoutOf(COARSE_STEPS[at] as CoarseStep); // a group is saved for each step
    const pooledTails = take(POOLED_TAILS_BYTES);
    const tracked = group.tracked.map((one) => ({
      ...one,
      state: new SeriesState(take(layout.end), layout),
    }));
    return { ...group, pooledTails, tracked };
  });
  return { ...others, groups: restored };
}
