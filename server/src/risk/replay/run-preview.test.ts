import { DEFAULT_SETTINGS } from '@tocsin/detector';
import { describe, expect, it } from 'vitest';
import { MINUTE_MS } from '../../platform/durations.ts';
import { ApiError } from '../../platform/errors.ts';
import { CollectedCounts } from './count-pieces.ts';
import { findIncidents, type PreviewTask } from './find-incidents.ts';
import { runPreview } from './run-preview.ts';

const BEGIN_MS = Date.parse('2026-11-20T10:00:00Z');
const MINUTES = 600;

/** A worker thread that runs a script instead of the preview. */
const script = (code: string) => ({ worker: new URL(`data:text/javascript,${encodeURIComponent(code)}`) });
const FOREVER = script('for (;;);');

function aTask(): PreviewTask {
  const counts = new CollectedCounts(BEGIN_MS, 1_000_000);
  for (let minute = 0; minute < MINUTES; minute++) {
    const minuteMs = BEGIN_MS + minute * MINUTE_MS;
    const critical = minute === 300;
    counts.add([
      { minuteMs, type: 'order', severity: 'info', source: 'web', count: 20 },
      ...(critical
        ? [{ minuteMs, type: 'outage', severity: 'critical' as const, source: null, count: 1 }]
        : []),
    ]);
  }
  return {
    settings: DEFAULT_SETTINGS,
    pieces: counts.pieces,
    beginMs: BEGIN_MS,
    fromMs: BEGIN_MS,
    toMs: BEGIN_MS + MINUTES * MINUTE_MS,
    downtimes: [],
    unlearned: [],
  };
}

const { signal: never } = new AbortController();

describe('a preview in a thread of its own', () => {
  it('finds what the same functions find here, in counts that are passed to the thread without copying them', async () => {
    const task = aTask();
    const incidents = await runPreview(task, never);
    expect(incidents).toMatchObject([{ rule: 'at_least', series: { kind: 'rule', severity: 'critical' } }]);
    expect(incidents).toEqual(findIncidents(aTask()));
    expect(task.pieces[0]?.counts.buffer.byteLength).toBe(0);
  });

  it('ends with the signal, also in the middle of its work', async () => {
    const controller = new AbortController();
    const running = runPreview(aTask(), controller.signal, FOREVER);
    const gone = new ApiError('unavailable', 'The client has gone away.');
    setImmediate(() => controller.abort(gone));
    await expect(running).rejects.toBe(gone);
    await expect(runPreview(aTask(), controller.signal)).rejects.toBe(gone);
  });

  it('refuses a preview that exceeds its time limit', async () => {
    await expect(runPreview(aTask(), never, { ...FOREVER, maxRunMs: 1 })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('too much time'),
    });
  });

  it('refuses a preview that exceeds its memory limit, without harm to the process', async () => {
    const greedy = script('const all = []; for (;;) all.push(new Array(1000).fill({}));');
    const resourceLimits = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4, stackSizeMb: 4 };
    await expect(runPreview(aTask(), never, { ...greedy, resourceLimits })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('too much memory'),
    });
    expect(await runPreview(aTask(), never)).toHaveLength(1);
  });

  it('fails with the error of the thread, and where the thread ends without an answer', async () => {
    await expect(runPreview(aTask(), never, script('throw new TypeError("a bug")'))).rejects.toThrow('a bug');
    await expect(runPreview(aTask(), never, script('process.exit(3)'))).rejects.toThrow(
      'ended early with exit code 3',
    );
  });

  it('passes no environment variable to the preview thread', async () => {
    const read = script(`import('node:worker_threads').then(({ parentPort }) =>
      parentPort.postMessage(Object.keys(process.env)))`);
    expect(await runPreview(aTask(), never, read)).toEqual([]);
  });
});
