import { type ResourceLimits, Worker } from 'node:worker_threads';

/** A thread that posts one message, its outcome. */
export interface TaskThread {
  name: string;
  entry: URL;
  resourceLimits: ResourceLimits;
  maxRunMs: number;
}

/** The work needs more than it may take. */
export class ThreadLimitError extends Error {
  override name = 'ThreadLimitError';
  readonly limit: 'memory' | 'time';

  constructor(name: string, limit: 'memory' | 'time', cause?: Error) {
    super(`The ${name} thread took too much ${limit}.`, { cause });
    this.limit = limit;
  }
}

/**
 * Runs a task in a thread of its own, so that nothing else waits for it.
 * @param transferred buffers of the task that are not copied, and are lost to the caller
 * @param signal ends the thread
 * @throws ThreadLimitError
 */
export async function runInThread<Outcome>(
  { task, transferred }: { task: object; transferred: ArrayBuffer[] },
  signal: AbortSignal,
  { name, entry, resourceLimits, maxRunMs }: TaskThread,
): Promise<Outcome> {
  signal.throwIfAborted();
  // A thread has no use for the environment.
  const worker = new Worker(entry, {
    name,
    workerData: task,
    transferList: transferred,
    resourceLimits,
    env: {},
  });
  const ended = new AbortController();
  try {
    return await new Promise<Outcome>((resolve, reject) => {
      worker.once('message', (outcome: Outcome) => resolve(outcome));
      worker.once('error', (error: NodeJS.ErrnoException) => reject(toError(error, name)));
      worker.once('exit', (code) =>
        reject(new Error(`The ${name} thread ended early with exit code ${code}.`)),
      );
      signal.addEventListener('abort', () => reject(signal.reason as Error), ended);
      const timer = setTimeout(() => reject(new ThreadLimitError(name, 'time')), maxRunMs);
      ended.signal.addEventListener('abort', () => clearTimeout(timer));
    });
  } finally {
    ended.abort();
    await worker.terminate();
  }
}

function toError(error: NodeJS.ErrnoException, name: string): Error {
  return error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new ThreadLimitError(name, 'memory', error) : error;
}
