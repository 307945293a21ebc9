import type { LentTail } from './calibration.ts';
import type { Heartbeat } from './heartbeat.ts';
import type { IncidentBook } from './merging.ts';
import type { SavedProject, Verdict } from './project-detector.ts';
import type { SeriesKey } from './series-key.ts';
import { SERIES_BYTES, SeriesMemory } from './series-memory.ts';
import { POOL_BYTES } from './tail-pool.ts';

/** A change of what the bytes mean makes the saved ones worthless: they are told by this. */
const VERSION = 1;
const HEAD_BYTES = 4;

const NO_HALF_HOURS = new Uint8Array(0);

interface Head {
  version: number;
  stepMs: number;
  steps: number;
  keys: SeriesKey[];
  weights: number[];
  counts: number[];
  touched: number[];
  lent: LentTail[] | null;
  book: IncidentBook;
  pending: Verdict[];
  /** The half hours of each in base64. */
  heartbeats: [number, Heartbeat, string][];
}

/** A length, as much JSON, then the tails of the project and each series as they lie in memory. */
export function toBytes({ stepMs, keys, book, group, heartbeats, pending }: SavedProject): Uint8Array {
  const { members, lent, steps, pool } = group;
  const head: Head = {
    version: VERSION,
    stepMs,
    steps,
    keys,
    weights: members.map(({ weight }) => weight),
    counts: members.map(({ count }) => count),
    touched: members.map(({ isTouched }) => Number(isTouched)),
    lent,
    book,
    pending,
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
  if (head.version !== VERSION) return null;
  const seriesAt = jsonEnd + POOL_BYTES;
  const members = head.weights.map((weight, i) => ({
    memory: new SeriesMemory(all.subarray(seriesAt + i * SERIES_BYTES, seriesAt + (i + 1) * SERIES_BYTES)),
    weight,
    count: head.counts[i] ?? 0,
    isTouched: head.touched[i] === 1,
  }));
  const { stepMs, keys, book, lent, steps, pending } = head;
  const heartbeats = head.heartbeats.map(([series, bare, halfHours]): [number, Heartbeat] => [
    series,
    { ...bare, pauses: { ...bare.pauses, halfHours: new Uint8Array(Buffer.from(halfHours, 'base64')) } },
  ]);
  return {
    heartbeats,
    pending,
    stepMs,
    keys,
    book,
    group: { members, pool: all.subarray(jsonEnd, seriesAt), lent, steps },
  };
}
