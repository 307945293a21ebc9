import fs from 'node:fs';

/** Output of the lines: the file system, or a stand-in for it in a test. */
export interface LogFile {
  /** One write that may take any time; resolves with the number of bytes written. */
  write: (bytes: Buffer) => Promise<number>;
  writeNow: (bytes: Buffer) => number;
}

export interface LogDestinationOptions {
  /** Maximum buffered bytes. */
  maxWaitingBytes?: number;
  /** Returns the line that replaces lost lines. */
  describeLoss?: (linesLost: number) => string;
}

const MAX_WAITING_BYTES = 8 * 1024 * 1024;
const MAX_CHUNK_BYTES = 64 * 1024;
/** A full pipe is tried again soon, a full disk is given time. */
const FULL_PIPE_RETRY_MS = 20;
const FAILURE_RETRY_MS = 500;
/** At the end of the process: how long a write that another thread has begun may take. */
const WRITE_UNDER_WAY_MS = 50;
const FINAL_RETRY_MS = 5;

/**
 * Destination of log lines. Guarantee: `write` neither throws nor blocks, whatever the state of the file. Lines wait
 * in memory, in order, while a disk is full or a reader of a pipe does not read, and are written once that has
 * passed. Beyond the maximum of buffered bytes, new lines are dropped and counted.
 *
 * By hand: sonic-boom 4.2, tried with `maxLength` and `drop`, writes the buffered lines on a full disk only with the
 * next line, and its `flushSync` there never returns. Lines that follow a write in progress overtake it when the
 * process ends.
 */
export class LogDestination {
  readonly #file: LogFile;
  readonly #maxWaitingBytes: number;
  readonly #describeLoss: ((linesLost: number) => string) | undefined;
  #lines: string[] = [];
  #waitingBytes = 0;
  /** Bytes that are being written: the rest of some lines. */
  #chunk: Buffer | null = null;
  #isWriting = false;
  #retry: NodeJS.Timeout | null = null;
  #linesLost = 0;
  #reportedLost = 0;
  #onWritten: (() => void)[] = [];

  constructor(file: LogFile, options: LogDestinationOptions = {}) {
    this.#file = file;
    this.#maxWaitingBytes = options.maxWaitingBytes ?? MAX_WAITING_BYTES;
    this.#describeLoss = options.describeLoss;
  }

  /** Lines dropped since the start of the process. */
  get linesLost(): number {
    return this.#linesLost;
  }

  write(line: string): void {
    const bytes = Buffer.byteLength(line);
    if (this.#waitingBytes + bytes > this.#maxWaitingBytes) {
      this.#linesLost++;
      return;
    }
    this.#lines.push(line);
    this.#waitingBytes += bytes;
    if (!this.#isWriting && this.#retry === null) void this.#writeAll();
  }

  /** Resolves when everything is written, or after `timeoutMs`. */
  async flush(timeoutMs: number): Promise<void> {
    if (this.#waitingBytes === 0) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      timer = setTimeout(resolve, timeoutMs);
      this.#onWritten.push(resolve);
    });
    clearTimeout(timer);
  }

  /**
   * For the very end of the process, where nothing asynchronous happens any more: writes the buffered lines, for at
   * most `timeoutMs` if a pipe is full. A file that refuses is given up.
   */
  flushAtExit(timeoutMs = 500): void {
    const deadline = performance.now() + timeoutMs;
    // Another thread has the chunk: it continues while this one sleeps, and the chunk keeps its place in the order.
    if (this.#isWriting) sleep(Math.min(WRITE_UNDER_WAY_MS, timeoutMs));
    else if (this.#chunk !== null && !this.#writeNow(this.#chunk, deadline)) return;
    while (this.#lines.length > 0 && this.#writeNow(this.#takeLines(), deadline));
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    try {
      for (;;) {
        if (this.#chunk === null && this.#lines.length === 0) break;
        this.#chunk ??= this.#takeLines();
        this.#written(await this.#file.write(this.#chunk));
        this.#reportLoss();
      }
      for (const resolve of this.#onWritten.splice(0)) resolve();
    } catch (error) {
      this.#retryAfter(isFull(error) ? FULL_PIPE_RETRY_MS : FAILURE_RETRY_MS);
    } finally {
      this.#isWriting = false;
    }
  }

  #takeLines(): Buffer {
    let text = '';
    let count = 0;
    while (count < this.#lines.length && text.length < MAX_CHUNK_BYTES) text += this.#lines[count++] ?? '';
    this.#lines = this.#lines.slice(count);
    return Buffer.from(text);
  }

  #written(bytes: number): void {
    this.#waitingBytes -= bytes;
    const rest = this.#chunk?.subarray(bytes);
    this.#chunk = rest !== undefined && rest.length > 0 ? rest : null;
  }

  /**
   * Reports lost lines once half of the room is free again: a line of its own, so that the gap can be seen in the
   * log.
   */
  #reportLoss(): void {
    const lost = this.#linesLost - this.#reportedLost;
    if (lost === 0 || this.#waitingBytes > this.#maxWaitingBytes / 2) return;
    this.#reportedLost = this.#linesLost;
    if (this.#describeLoss) this.write(this.#describeLoss(lost));
  }

  /** Retries without another line to write, too: the last lines of an outage are those that count. */
  #retryAfter(delayMs: number): void {
    this.#retry = setTimeout(() => {
      this.#retry = null;
      void this.#writeAll();
    }, delayMs);
    this.#retry.unref();
  }

  /** @returns true if all of it was written in time */
  #writeNow(chunk: Buffer, deadline: number): boolean {
    for (let rest = chunk; rest.length > 0; ) {
      try {
        rest = rest.subarray(this.#file.writeNow(rest));
      } catch (error) {
        if (!isFull(error) || performance.now() > deadline) return false;
        sleep(FINAL_RETRY_MS);
      }
    }
    return true;
  }
}

export function fileOf(fd: number): LogFile {
  return {
    write: (bytes) =>
      new Promise((resolve, reject) => {
        fs.write(fd, bytes, 0, bytes.length, null, (error, written) =>
          error ? reject(error) : resolve(written),
        );
      }),
    writeNow: (bytes) => fs.writeSync(fd, bytes),
  };
}

/** True for a pipe that takes no more at this moment. */
function isFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EAGAIN' || error.code === 'EBUSY');
}

function sleep(durationMs: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, durationMs);
}
