import { parentPort, workerData } from 'node:worker_threads';
import { type RebuildTask, rebuildDetector } from './rebuild-detector.ts';

/*
 * Entry of the thread that rebuilds one detector. `runRebuild` passes the task, so its type is known.
 */
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window and has no origin
parentPort?.postMessage(rebuildDetector(workerData as RebuildTask));
