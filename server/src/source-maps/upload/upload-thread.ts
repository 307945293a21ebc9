import path from 'node:path';
import { ConnectionError } from '../../database/connection-error.ts';
import type { Connection } from '../../database/database.ts';
import { ApiError, type HttpErrorCode } from '../../platform/errors.ts';
import { LastingThread } from '../../platform/threads/lasting-thread.ts';
import { BundleError } from './read-bundle.ts';
import type { UploadSteps } from './upload-steps.ts';

export interface UploadThreadData {
  connection: Connection;
}

/** A step with its parameter. */
export type UploadTask = {
  [Step in keyof UploadSteps]: { step: Step; input: Parameters<UploadSteps[Step]>[0] };
}[keyof UploadSteps];

/** Answer of the thread: an error is passed as what a caller has to tell apart. */
export type UploadAnswer =
  | { kind: 'done'; outcome: unknown }
  | { kind: 'refused'; code: HttpErrorCode; detail: string }
  | { kind: 'unreadable'; sentence: string }
  | { kind: 'failed'; isUnavailable: boolean; error: Error };

/** The file beside this one, in the sources as in the build. */
const ENTRY = new URL(`./upload-worker${path.extname(import.meta.url)}`, import.meta.url);
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 };
const IDLE_MS = 10_000;

/**
 * Runs the steps of uploads in a thread of its own, over a connection of its own: as garbage of this thread their bytes
 * would cost dozens of collections, for each of which all events wait.
 */
export class UploadThread implements UploadSteps {
  readonly #thread: LastingThread<UploadTask, UploadAnswer>;

  constructor(connection: Connection) {
    const workerData: UploadThreadData = { connection };
    const limits = { resourceLimits: RESOURCE_LIMITS, idleMs: IDLE_MS };
    this.#thread = new LastingThread({ name: 'upload', entry: ENTRY, workerData, ...limits });
  }

  storeChunk: UploadSteps['storeChunk'] = (input) =>
    // A piece that has its memory for itself is passed on with it.
    this.#run(
      { step: 'storeChunk', input },
      input.body.flatMap(({ buffer, byteLength }) =>
        buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [],
      ),
    );
  readBundle: UploadSteps['readBundle'] = (input) => this.#run({ step: 'readBundle', input });
  storeMap: UploadSteps['storeMap'] = (input) => this.#run({ step: 'storeMap', input });
  storeBundle: UploadSteps['storeBundle'] = (input) => this.#run({ step: 'storeBundle', input });

  close(): Promise<void> {
    return this.#thread.close();
  }

  async #run<Outcome>(task: UploadTask, transferred: ArrayBuffer[] = []): Promise<Outcome> {
    const answer = await this.#thread.run(task, transferred);
    // The outcome is that of the step.
    if (answer.kind === 'done') return answer.outcome as Outcome;
    if (answer.kind === 'refused') throw new ApiError(answer.code, answer.detail);
    if (answer.kind === 'unreadable') throw new BundleError(answer.sentence);
    throw answer.isUnavailable ? new ConnectionError(answer.error) : answer.error;
  }
}
