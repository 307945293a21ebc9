import path from 'node:path';
import { runInThread, ThreadLimitError } from '../../platform/threads/run-in-thread.ts';
import { unavailable } from '../../platform/unavailable.ts';
import { buffersOf } from './count-pieces.ts';
import type { PreviewTask } from './find-incidents.ts';
import { RESOURCE_LIMITS } from './resource-limits.ts';
import type { Preview } from './schema.ts';

/** The file beside this one, in the sources as in the build. */
const WORKER = new URL(`./preview-worker${path.extname(import.meta.url)}`, import.meta.url);
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
  { worker = WORKER, resourceLimits = RESOURCE_LIMITS, maxRunMs = MAX_RUN_MS } = {},
): Promise<Preview['incidents']> {
  try {
    return await runInThread({ task, transferred: buffersOf(task.pieces) }, signal, {
      name: 'preview',
      entry: worker,
      resourceLimits,
      maxRunMs,
    });
  } catch (error) {
    if (!(error instanceof ThreadLimitError)) throw error;
    throw unavailable(`The preview took too much ${error.limit}. Try fewer days.`, { cause: error });
  }
}
