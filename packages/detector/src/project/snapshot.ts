import { POOLED_MAXIMA_BYTES } from '../calibration/pooled-maxima.ts';
import { SERIES_BYTES } from '../state/series-layout.ts';
import { SeriesState } from '../state/series-state.ts';
import type { SavedProject } from './project-detector.ts';
import { fromStored, type StoredProject, toStored } from './stored-project.ts';

/** Raised where saved bytes change their meaning, which makes earlier ones worthless. Raise `DETECTOR_VERSION` as well. */
const VERSION = 2;
const HEAD_BYTES = 4;

/** Bytes of a length, as much JSON, then the pooled maxima of the project and each series as they lie in memory. */
export function toBytes(project: SavedProject): Uint8Array {
  const { maxima, tracked } = project.group;
  const { steps, weights, members, lent, heartbeats, ...plain } = toStored(project);
  const head = { ...plain, version: VERSION, steps, weights, members, lent, heartbeats };
  const json = Buffer.from(JSON.stringify(head));
  const length = Buffer.alloc(HEAD_BYTES);
  length.writeUInt32LE(json.length);
  return Buffer.concat([length, json, maxima, ...tracked.map(({ state }) => state.toBytes())]);
}

/** Null where the bytes are of another version: then the detection state of the project is reset. */
export function fromBytes(bytes: Uint8Array): SavedProject | null {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const jsonEnd = HEAD_BYTES + all.readUInt32LE(0);
  // Written by `toBytes`; another version has other keys, and is not read.
  const head = JSON.parse(all.toString('utf8', HEAD_BYTES, jsonEnd)) as StoredProject & { version: number };
  const { version, ...stored } = head;
  if (version !== VERSION) return null;
  const { group, ...project } = fromStored(stored);
  const seriesAt = jsonEnd + POOLED_MAXIMA_BYTES;
  const stateOf = (index: number) =>
    new SeriesState(all.subarray(seriesAt + index * SERIES_BYTES, seriesAt + (index + 1) * SERIES_BYTES));
  return {
    ...project,
    group: {
      ...group,
      tracked: group.tracked.map((tracked, index) => ({ ...tracked, state: stateOf(index) })),
      maxima: all.subarray(jsonEnd, seriesAt),
    },
  };
}
