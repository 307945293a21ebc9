import { parentPort, workerData } from 'node:worker_threads';
import { findPositions, type MapTask } from './find-positions.ts';

/*
 * Entry of the thread that reads one map. `FrameMapper` passes the task, so its type is known.
 */
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window and has no origin
parentPort?.postMessage(findPositions(workerData as MapTask));
