import { Random } from '@tocsin/simulation/random';
import { START_MS } from '@tocsin/simulation/start';
import { describe, expect, it } from 'vitest';
import { PooledTails } from '../calibration/pooled-tails.ts';
import { ProjectDetector } from '../project/project-detector.ts';
import { FORMER_SERIES_BYTES, SERIES_BYTES, SERIES_BYTES_WITHOUT_USUAL } from '../state/series-layout.ts';
import { SeriesState } from '../state/series-state.ts';
import { UP } from '../state/side.ts';
import { DEFAULT_SETTINGS } from '../types.ts';
import { fromBytes, toBytes } from './snapshot.ts';

const MINUTE_MS = 60_000;
/** Of the maxima that earlier programs pooled: 512 of each of 8 windows, and how many were ever added to each. */
const FORMER_CODES = 8 * 512;
const FORMER_COUNTS = 8 * 4;

function runProject(): ProjectDetector {
  const random = new Random(3);
  const detector = new ProjectDetector(START_MS, DEFAULT_SETTINGS);
  for (let minute = 0; minute < 300; minute++) {
    const bucketMs = START_MS + minute * MINUTE_MS;
    const events = { type: 'http', severity: 'info', source: 'web', bucketMs, lastMs: bucketMs } as const;
    detector.count({ ...events, count: random.poisson(20) });
    detector.endStepsBefore(bucketMs + MINUTE_MS, true);
  }
  return detector;
}

/** As a program saved it whose series were shorter: the part of this one's bytes that it reads. */
function asFormer(bytes: Uint8Array, series: number): Uint8Array {
  const all = Buffer.from(bytes);
  const headEnd = 4 + all.readUInt32LE(0);
  const { addedBytes, usualBytes, sparse: _sparse, ...head } = JSON.parse(all.toString('utf8', 4, headEnd));
  expect(addedBytes).toBe(SERIES_BYTES_WITHOUT_USUAL - FORMER_SERIES_BYTES);
  expect(usualBytes).toBe(SERIES_BYTES - SERIES_BYTES_WITHOUT_USUAL);
  const end = headEnd + FORMER_CODES + FORMER_COUNTS + series * FORMER_SERIES_BYTES;
  return withHead(head, all.subarray(headEnd, end));
}

function withHead(head: object, rest: Uint8Array): Buffer {
  const json = Buffer.from(JSON.stringify(head));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(json.length);
  return Buffer.concat([length, json, rest]);
}

/** As a program saved it that pooled maxima: with these tails of all series, and maxima in the place of pooled tails. */
function withPooledMaxima(bytes: Uint8Array, lent: object[] | null): Buffer {
  const all = Buffer.from(bytes);
  const headEnd = 4 + all.readUInt32LE(0);
  const { hasPooledTails, ...head } = JSON.parse(all.toString('utf8', 4, headEnd));
  expect(hasPooledTails).toBe(true);
  const rest = Buffer.from(all.subarray(headEnd));
  rest.fill(77, 0, FORMER_CODES);
  rest.fill(1, FORMER_CODES, FORMER_CODES + FORMER_COUNTS);
  return withHead({ ...head, lent }, rest);
}

describe('a saved project', () => {
  it('loads a saved project losslessly', () => {
    const bytes = toBytes(runProject().save());
    const loaded = new ProjectDetector(0, DEFAULT_SETTINGS, fromBytes(bytes) ?? undefined);
    expect(toBytes(loaded.save())).toEqual(bytes);
  });

  it('loads what a program saved whose series were shorter, and saves what that program reads', () => {
    const detector = runProject();
    const bytes = toBytes(detector.save());
    const former = asFormer(bytes, detector.seriesCount);
    const saved = fromBytes(former);
    if (!saved) throw new Error('It can be read.');
    const loaded = new ProjectDetector(0, DEFAULT_SETTINGS, saved);
    expect(loaded.stepMs).toBe(detector.stepMs);
    expect(asFormer(toBytes(loaded.save()), loaded.seriesCount)).toEqual(former);
  });

  it('loads what a program saved that knew no largest usual evidence', () => {
    const detector = runProject();
    const all = Buffer.from(toBytes(detector.save()));
    const headEnd = 4 + all.readUInt32LE(0);
    const { usualBytes, ...head } = JSON.parse(all.toString('utf8', 4, headEnd));
    const rest = all.subarray(headEnd, all.length - detector.seriesCount * usualBytes);
    const saved = fromBytes(withHead(head, rest));
    expect(saved?.group.tracked.map(({ state }) => state.largestUsual(UP, 0))).toEqual(
      Array.from({ length: detector.seriesCount }, () => 0),
    );
    const loaded = new ProjectDetector(0, DEFAULT_SETTINGS, saved ?? undefined);
    loaded.endStepsBefore(loaded.stepMs + 120 * MINUTE_MS, true);
    expect(fromBytes(toBytes(loaded.save()))?.group.tracked).toHaveLength(detector.seriesCount);
  });

  it('loads the tails of a program that pooled maxima, for series of all levels', () => {
    const lent = Array.from({ length: 8 }, (_, window) => ({ scale: 1 + window, place: 3, maxima: 90 }));
    const group = fromBytes(withPooledMaxima(toBytes(runProject().save()), lent))?.group;
    const tails = PooledTails.fromFormer(group?.formerTails ?? []);
    for (const level of [1e-4, 1, 1e6]) {
      const state = new SeriesState();
      state.setLevel(level, 1);
      expect(tails.of(state, UP, 2)).toEqual({ scale: 3, spread: 0.5, location: 3, count: 90 });
    }
    expect([tails.lends, tails.rises]).toEqual([true, 90]);
  });

  it('goes on from a state with pooled maxima, and starts without tails where a series was alone', () => {
    const bytes = toBytes(runProject().save());
    for (const lent of [null, Array.from({ length: 8 }, () => ({ scale: 1, place: 3, maxima: 90 }))]) {
      const saved = fromBytes(withPooledMaxima(bytes, lent));
      const loaded = new ProjectDetector(0, DEFAULT_SETTINGS, saved ?? undefined);
      loaded.endStepsBefore(loaded.stepMs + 120 * MINUTE_MS, true);
      const again = fromBytes(toBytes(loaded.save()));
      expect(again?.group.formerTails).toBeUndefined();
      expect(again?.group.pooledTails).toEqual(Buffer.from(loaded.save().group.pooledTails));
    }
  });

  it('counts no pooled maxima for a program that reads them', () => {
    const all = Buffer.from(toBytes(runProject().save()));
    const countsAt = 4 + all.readUInt32LE(0) + FORMER_CODES;
    expect([...all.subarray(countsAt, countsAt + FORMER_COUNTS)].every((byte) => byte === 0)).toBe(true);
  });
});
