import { parentPort, workerData } from 'node:worker_threads';
import { findIncidents, type PreviewTask } from './find-incidents.ts';

/*
 * Entry of the thread that computes one preview. `runPreview` passes the task, so its type is known.
 */
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window and has no origin
parentPort?.postMessage(findIncidents(workerData as PreviewTask));
