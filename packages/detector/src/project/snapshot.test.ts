import { Random } from '@tocsin/simulation/random';
import { START_MS } from '@tocsin/simulation/start';
import { describe, expect, it } from 'vitest';
import { POOLED_MAXIMA_BYTES } from '../calibration/pooled-maxima.ts';
import { FORMER_SERIES_BYTES, SERIES_BYTES } from '../state/series-layout.ts';
import { DEFAULT_SETTINGS } from '../types.ts';
import { ProjectDetector } from './project-detector.ts';
import { fromBytes, toBytes } from './snapshot.ts';

const MINUTE_MS = 60_000;

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
  const { addedBytes, sparse: _sparse, ...head } = JSON.parse(all.toString('utf8', 4, headEnd));
  expect(addedBytes).toBe(SERIES_BYTES - FORMER_SERIES_BYTES);
  const json = Buffer.from(JSON.stringify(head));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(json.length);
  const end = headEnd + POOLED_MAXIMA_BYTES + series * FORMER_SERIES_BYTES;
  return Buffer.concat([length, json, all.subarray(headEnd, end)]);
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
});
