import { type ResourceLimits, Worker } from 'node:worker_threads';

interface LastingThreadOptions {
  name: string;
  entry: URL;
  workerData: object;
  resourceLimits: ResourceLimits;
  /** Time without a task after which the thread ends. */
  idleMs: number;
}

interface PendingTask<Answer> {
  resolve: (answer: Answer) => void;
  reject: (error: Error) => void;
}

/**
 * A thread that takes one task at a time and answers each with one message. It begins with a task and ends when it is
 * idle, so that it costs nothing then.
 */
export class LastingThread<Task extends object, Answer> {
  readonly #options: LastingThreadOptions;
  #worker: Worker | null = null;
  #pending: PendingTask<Answer> | null = null;
  #idle: NodeJS.Timeout | undefined;

  constructor(options: LastingThreadOptions) {
    this.#options = options;
  }

  /**
   * Runs a task; the caller waits for its end before the next one.
   * @param transferred buffers of the task that are not copied, and are lost to the caller
   * @throws the error that has ended the thread; the next task begins another one
   */
  async run(task: Task, transferred: ArrayBuffer[] = []): Promise<Answer> {
    clearTimeout(this.#idle);
    const worker = (this.#worker ??= this.#start());
    try {
      return await new Promise<Answer>((resolve, reject) => {
        this.#pending = { resolve, reject };
        worker.postMessage(task, transferred);
      });
    } finally {
      this.#pending = null;
      this.#idle = setTimeout(() => void this.close(), this.#options.idleMs).unref();
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    if (!worker) return;
    // At once: a task that comes while it ends begins another one.
    this.#forget(worker, this.#endError());
    await worker.terminate();
  }

  #start(): Worker {
    const { entry, idleMs: _idleMs, ...options } = this.#options;
    const worker = new Worker(entry, options);
    // Callers that wait for a task keep the process alive.
    worker.unref();
    worker.on('message', (answer: Answer) => this.#pending?.resolve(answer));
    worker.on('error', (error) => this.#forget(worker, error));
    worker.on('exit', () => this.#forget(worker, this.#endError()));
    return worker;
  }

  #forget(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    this.#pending?.reject(error);
  }

  #endError(): Error {
    return new Error(`The ${this.#options.name} thread has ended.`);
  }
}
