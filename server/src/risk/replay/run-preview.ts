import path from 'node:path';
import { Worker } from 'node:worker_threads';
import type { ApiError } from '../../platform/errors.ts';
import { unavailable } from '../../platform/unavailable.ts';
import { buffersOf } from './count-pieces.ts';
import type { PreviewTask } from './find-incidents.ts';
import type { Preview } from './schema.ts';

/** The file beside this one, in the sources as in the build. */
const WORKER = new URL(`./preview-worker${path.extname(import.meta.url)}`, import.meta.url);
/** Limits beside the counts, which are bounded when they are read: for the watched series, and incidents. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 };
/** Many times the usual duration: only a hung preview, on an idle machine, runs for so long. */
const MAX_RUN_MS = 10 * 60_000;

/**
 * Runs a preview in a thread of its own, so that requests do not wait for it. The task's counts are transferred.
 * @param signal ends the thread
 * @throws ApiError `unavailable` if it needs more memory or time than allowed
 */
export async function runPreview(
  task: PreviewTask,
  signal: AbortSignal,
  { worker: entry = WORKER, resourceLimits = RESOURCE_LIMITS, maxRunMs = MAX_RUN_MS } = {},
): Promise<Preview['incidents']> {
  signal.throwIfAborted();
  // A thread has no use for the environment.
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
      worker.once('exit', (code) =>
        reject(new Error(`The preview thread ended early with exit code ${code}.`)),
      );
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
