import path from 'node:path';
import { Worker } from 'node:worker_threads';
import type { ApiError } from '../../platform/errors.ts';
import { unavailable } from '../../platform/unavailable.ts';
import { buffersOf } from './count-pieces.ts';
import type { PreviewTask } from './find-incidents.ts';
import type { Preview } from './schema.ts';

/** The file beside this one, in the sources as in the build. */
const WORKER = new URL(`./preview-worker${path.extname(import.meta.url)}`, import.meta.url);
/** Beside the counts, which are bounded where they are read: the series that are watched, and incidents. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 };
/** Many times what it takes: only what hangs, on a machine that has time, runs for so long. */
const MAX_RUN_MS = 10 * 60_000;

/**
 * Works a preview out in a thread of its own, so that requests do not wait for it. The task's counts are given away.
 * @param signal ends the thread
 * @throws ApiError `unavailable` where it needs more memory or time than it may
 */
export async function runPreview(
  task: PreviewTask,
  signal: AbortSignal,
  { worker: entry = WORKER, resourceLimits = RESOURCE_LIMITS, maxRunMs = MAX_RUN_MS } = {},
): Promise<Preview['incidents']> {
  signal.throwIfAborted();
  // A thread has no use for what the environment holds.
  const worker = new Worker(entry, {
    name: 'preview',
    workerData: task,
    transferList: buffersOf(task.pieces),
    resourceLimits,
    env: {},
  });
  const ended = new AbortController();
  try {
    return await new Promise<Preview['incidents']>((resolve, reject) => {
      // The thread posts one message, the outcome of `findIncidents`.
      worker.once('message', (incidents: Preview['incidents']) => resolve(incidents));
      worker.once('error', (error: NodeJS.ErrnoException) => reject(toError(error)));
      worker.once('exit', (code) => reject(new Error(`The thread of a preview ended early, with ${code}.`)));
      signal.addEventListener('abort', () => reject(signal.reason as Error), ended);
      const timer = setTimeout(() => reject(tooMuch('time')), maxRunMs);
      ended.signal.addEventListener('abort', () => clearTimeout(timer));
    });
  } finally {
    ended.abort();
    await worker.terminate();
  }
}

function toError(error: NodeJS.ErrnoException): Error {
  return error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooMuch('memory', error) : error;
}

function tooMuch(what: 'memory' | 'time', cause?: Error): ApiError {
  return unavailable(`The preview took too much ${what}. Try fewer days.`, {
    cause,
  });
}
