import { parentPort, workerData } from 'node:worker_threads';
import { createPool } from '../../database/database.ts';
import { isUnavailable } from '../../database/sql-state.ts';
import { ApiError, type HttpErrorCode } from '../../platform/errors.ts';
import { BundleError } from './read-bundle.ts';
import { createUploadSteps } from './upload-steps.ts';
import type { UploadAnswer, UploadTask, UploadThreadData } from './upload-thread.ts';

/*
 * Entry of the thread of uploads. `UploadThread` passes its data and the tasks, so their types are known.
 */
const { connection } = workerData as UploadThreadData;
const steps = createUploadSteps(
  createPool({
    connection,
    applicationName: 'tocsin-uploads',
    maxConnections: 1,
    // The next query connects again.
    onError: () => {},
  }),
);

parentPort?.on('message', (task: UploadTask) => void answer(task));

async function answer(task: UploadTask): Promise<void> {
  const outcome = run(task).then((value): UploadAnswer => ({ kind: 'done', outcome: value }));
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window and has no origin
  parentPort?.postMessage(await outcome.catch(toAnswer));
}

function run(task: UploadTask): Promise<unknown> {
  if (task.step === 'storeChunk') return steps.storeChunk(task.input);
  if (task.step === 'readBundle') return steps.readBundle(task.input);
  if (task.step === 'storeMap') return steps.storeMap(task.input);
  return steps.storeBundle(task.input);
}

function toAnswer(error: unknown): UploadAnswer {
  if (error instanceof BundleError) return { kind: 'unreadable', sentence: error.message };
  // The steps throw errors of HTTP alone.
  if (error instanceof ApiError)
    return { kind: 'refused', code: error.code as HttpErrorCode, detail: error.message };
  const cause = error instanceof Error ? error : new Error(String(error));
  return { kind: 'failed', isUnavailable: isUnavailable(error), error: cause };
}
