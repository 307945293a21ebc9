import { POOL_BYTES } from '../calibration/pooled-maxima.ts';
import type { LentTail } from '../calibration/thresholds.ts';
import type { Heartbeat } from '../heartbeat/heartbeat.ts';
import { SERIES_BYTES, SeriesMemory } from '../state/series-state.ts';
import type { SavedProject } from './project-detector.ts';
import type { Member } from './series-group.ts';

/** A change of what the bytes mean makes the saved ones worthless: they are told by this. Raise `DETECTOR_VERSION` as well. */
const VERSION = 2;
const HEAD_BYTES = 4;

const NO_HALF_HOURS = new Uint8Array(0);

interface Head extends Omit<SavedProject, 'group' | 'heartbeats'> {
  version: number;
  steps: number;
  weights: number;
  members: Omit<Member, 'memory'>[];
  lent: LentTail[] | null;
  /** The half hours of each in base64. */
  heartbeats: [number, Heartbeat, string][];
}

/** A length, as much JSON, then the tails of the project and each series as they lie in memory. */
export function toBytes({ group, heartbeats, ...plain }: SavedProject): Uint8Array {
  const { members, lent, steps, weights, pool } = group;
  const head: Head = {
    ...plain,
    version: VERSION,
    steps,
    weights,
    members: members.map(({ weight, count, late = 0, isTouched, isTrouble, isPartial }) => ({
      weight,
      count,
      ...(late > 0 && { late }),
      isTouched,
      isTrouble,
      isPartial,
    })),
    lent,
    heartbeats: heartbeats.map(([series, heartbeat]) => {
      const { halfHours, ...pauses } = heartbeat.pauses;
      const bare = { ...heartbeat, pauses: { ...pauses, halfHours: NO_HALF_HOURS } };
      return [series, bare, Buffer.from(halfHours).toString('base64')];
    }),
  };
  const json = Buffer.from(JSON.stringify(head));
  const length = Buffer.alloc(HEAD_BYTES);
  length.writeUInt32LE(json.length);
  return Buffer.concat([length, json, pool, ...members.map(({ memory }) => memory.toBytes())]);
}

/** Null where the bytes are of another version: then the project begins anew. */
export function fromBytes(bytes: Uint8Array): SavedProject | null {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const jsonEnd = HEAD_BYTES + all.readUInt32LE(0);
  const head = JSON.parse(all.toString('utf8', HEAD_BYTES, jsonEnd)) as Head;
  const { version, steps, weights, members, lent, heartbeats, ...plain } = head;
  if (version !== VERSION) return null;
  const seriesAt = jsonEnd + POOL_BYTES;
  return {
    ...plain,
    group: {
      members: members.map((member, i) => ({
        ...member,
        memory: new SeriesMemory(
          all.subarray(seriesAt + i * SERIES_BYTES, seriesAt + (i + 1) * SERIES_BYTES),
        ),
      })),
      pool: all.subarray(jsonEnd, seriesAt),
      lent,
      steps,
      weights,
    },
    heartbeats: heartbeats.map(([series, bare, halfHours]): [number, Heartbeat] => [
      series,
      { ...bare, pauses: { ...bare.pauses, halfHours: new Uint8Array(Buffer.from(halfHours, 'base64')) } },
    ]),
  };
}
