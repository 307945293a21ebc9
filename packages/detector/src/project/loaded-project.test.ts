import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { START_MS } from '@tocsin/simulation/start';
import { expect, it } from 'vitest';
import { fromBytes, toBytes } from '../saving/snapshot.ts';
import { DEFAULT_SETTINGS } from '../types.ts';
import { ProjectDetector } from './project-detector.ts';

const MINUTE_MS = 60_000;

/** Returns a project with a sparse series of each kind: of errors, and with a silence that is evaluated. */
function savedProject(): Uint8Array {
  const detector = new ProjectDetector(START_MS, DEFAULT_SETTINGS);
  for (let minute = 0; minute < 120; minute++) {
    const bucketMs = START_MS + minute * MINUTE_MS;
    const event = { type: 'job', source: 'worker', bucketMs, lastMs: bucketMs, count: 1 };
    if (minute % 10 === 0) detector.count({ ...event, severity: 'error' });
    if (minute % 4 === 0) detector.count({ ...event, severity: 'info' });
    detector.endStepsBefore(bucketMs + MINUTE_MS, true);
  }
  return toBytes(detector.save());
}

it('keeps nothing of what a project was loaded from', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage: () => void = runInNewContext('gc');
  const bytes = savedProject();
  const load = () => {
    const saved = fromBytes(bytes);
    if (!saved?.sparse) throw new Error('It has sparse series.');
    const { group, sparse, heartbeats, registry } = saved;
    const parts = [saved, group, group.series, sparse, ...sparse.groups, sparse.silences, heartbeats];
    const references = [...parts, registry].map((part) => new WeakRef<object>(part));
    return { references, detector: new ProjectDetector(0, DEFAULT_SETTINGS, saved) };
  };
  const { references, detector } = load();
  // Objects that were read are kept until the end of the turn.
  for (let turn = 0; turn < 2; turn++) {
    await setImmediate();
    collectGarbage();
  }
  expect(references.filter((reference) => reference.deref() !== undefined)).toEqual([]);
  expect(detector.seriesCount).toBeGreaterThan(2);
});
