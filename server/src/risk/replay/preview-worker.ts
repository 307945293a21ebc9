import { parentPort, workerData } from 'node:worker_threads';
import { findIncidents, type PreviewTask } from './find-incidents.ts';

/*
 * The entry of the thread in which one preview is worked out. The task is whatever `runPreview` passes, so its type is
 * known.
 */
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window and has no origin
parentPort?.postMessage(findIncidents(workerData as PreviewTask));
