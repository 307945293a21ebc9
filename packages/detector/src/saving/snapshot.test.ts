import { Random } from '@tocsin/simulation/random';
import { START_MS } from '@tocsin/simulation/start';
import { describe, expect, it } from 'vitest';
import { ProjectDetector } from '../project/project-detector.ts';
import { UP } from '../state/side.ts';
import { DEFAULT_SETTINGS } from '../types.ts';
import { DETECTOR_VERSION } from '../version.ts';
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

/** Returns the bytes with another head. */
function withHead(bytes: Uint8Array, change: (head: Record<string, unknown>) => object): Buffer {
  const all = Buffer.from(bytes);
  const headEnd = 4 + all.readUInt32LE(0);
  const json = Buffer.from(JSON.stringify(change(JSON.parse(all.toString('utf8', 4, headEnd)))));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(json.length);
  return Buffer.concat([length, json, all.subarray(headEnd)]);
}

describe('a saved project', () => {
  it('loads a saved project losslessly', () => {
    const bytes = toBytes(runProject().save());
    const loaded = new ProjectDetector(0, DEFAULT_SETTINGS, fromBytes(bytes) ?? undefined);
    expect(toBytes(loaded.save())).toEqual(bytes);
  });

  it('keeps the series of its incidents', () => {
    const detector = new ProjectDetector(START_MS, DEFAULT_SETTINGS);
    const times = { bucketMs: START_MS, lastMs: START_MS };
    detector.count({ type: 'http', severity: 'error', source: 'web', count: 500, ...times });
    detector.evaluatePartialStep();
    expect(fromBytes(toBytes(detector.save()))?.incidents.open.incidents).toMatchObject([
      {
        number: 1,
        side: UP,
        members: [
          { kind: 'events', type: 'http', severity: 'error', source: 'web' },
          { kind: 'errors', type: null, severity: null, source: null },
        ],
      },
    ]);
  });

  it('reads nothing of what the next version saved, whatever its head and bytes mean there', () => {
    const bytes = toBytes(runProject().save());
    expect(fromBytes(withHead(bytes, (head) => head))).not.toBeNull();
    expect(fromBytes(withHead(bytes, (head) => ({ ...head, version: DETECTOR_VERSION + 1 })))).toBeNull();
    expect(fromBytes(withHead(bytes, () => ({ version: DETECTOR_VERSION + 1, places: [] })))).toBeNull();
  });
});
