import { parentPort, workerData } from 'node:worker_threads';
import { type NullJob, runNullProject } from './null-project.ts';

/*
 * The entry of the thread in which one project runs. The job is what `runNullProjects` passes, so its type is known.
 */
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window and has no origin
parentPort?.postMessage(runNullProject(workerData as NullJob));
