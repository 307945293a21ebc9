import { POOLED_MAXIMA_BYTES } from '../calibration/pooled-maxima.ts';
import { FORMER_SERIES_BYTES, SERIES_BYTES } from '../state/series-layout.ts';
import { SeriesState } from '../state/series-state.ts';
import type { SavedProject } from './project-detector.ts';
import { fromStored, type StoredProject, toStored } from './stored-project.ts';

/** Raised where saved bytes change their meaning, which makes earlier ones worthless. Raise `DETECTOR_VERSION` as well. */
const VERSION = 2;
const HEAD_BYTES = 4;

/** What a series has beyond what earlier programs read; they read a project that is saved by this one, without it. */
const ADDED_BYTES = SERIES_BYTES - FORMER_SERIES_BYTES;

type StoredHead = StoredProject & {
  version: number;
  /** Missing where series are of `FORMER_SERIES_BYTES`. */
  addedBytes?: number;
};

/**
 * Bytes of a length, as much JSON, then the pooled maxima of the project and each series as they lie in memory: first of
 * all of them what earlier programs read, then of all of them what was added since.
 */
export function toBytes(project: SavedProject): Uint8Array {
  const { maxima, tracked } = project.group;
  const { steps, weights, members, lent, heartbeats, ...plain } = toStored(project);
  const head = {
    ...plain,
    version: VERSION,
    addedBytes: ADDED_BYTES,
    steps,
    weights,
    members,
    lent,
    heartbeats,
  };
  const json = Buffer.from(JSON.stringify(head));
  const length = Buffer.alloc(HEAD_BYTES);
  length.writeUInt32LE(json.length);
  const series = tracked.map(({ state }) => state.toBytes());
  const former = series.map((bytes) => bytes.subarray(0, FORMER_SERIES_BYTES));
  const added = series.map((bytes) => bytes.subarray(FORMER_SERIES_BYTES));
  return Buffer.concat([length, json, maxima, ...former, ...added]);
}

/** Null where the bytes are of another version: then the detection state of the project is reset. */
export function fromBytes(bytes: Uint8Array): SavedProject | null {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const jsonEnd = HEAD_BYTES + all.readUInt32LE(0);
  // Written by `toBytes`; another version has other keys, and is not read.
  const head = JSON.parse(all.toString('utf8', HEAD_BYTES, jsonEnd)) as StoredHead;
  const { version, addedBytes = 0, ...stored } = head;
  if (version !== VERSION) return null;
  const { group, ...project } = fromStored(stored);
  const seriesAt = jsonEnd + POOLED_MAXIMA_BYTES;
  const addedAt = seriesAt + group.tracked.length * FORMER_SERIES_BYTES;
  const part = (from: number, index: number, length: number) =>
    all.subarray(from + index * length, from + (index + 1) * length);
  const stateOf = (index: number) =>
    new SeriesState(
      Buffer.concat([part(seriesAt, index, FORMER_SERIES_BYTES), part(addedAt, index, addedBytes)]),
    );
  return {
    ...project,
    group: {
      ...group,
      tracked: group.tracked.map((tracked, index) => ({ ...tracked, state: stateOf(index) })),
      maxima: all.subarray(jsonEnd, seriesAt),
    },
  };
}
