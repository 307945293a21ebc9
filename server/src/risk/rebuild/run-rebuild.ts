import path from 'node:path';
import { runInThread } from '../../platform/threads/run-in-thread.ts';
import { buffersOf } from '../replay/count-pieces.ts';
import { RESOURCE_LIMITS } from '../replay/resource-limits.ts';
import type { RebuildTask, RebuiltDetector } from './rebuild-detector.ts';

/** The file beside this one, in the sources as in the build. */
const WORKER = new URL(`./rebuild-worker${path.extname(import.meta.url)}`, import.meta.url);

/** Rebuilds a detector in a thread of its own. */
export function runRebuild(
  task: RebuildTask,
  signal: AbortSignal,
  maxRunMs: number,
): Promise<RebuiltDetector> {
  const thread = { name: 'rebuild', entry: WORKER, resourceLimits: RESOURCE_LIMITS, maxRunMs };
  return runInThread<RebuiltDetector>({ task, transferred: buffersOf(task.pieces) }, signal, thread);
}
