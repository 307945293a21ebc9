import { once } from 'node:events';
import { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { InheritedDescriptor } from '../../http/sockets/listening-sockets.ts';
import { KEEPER } from './successor.ts';

/** Time that the process which serves has for its end. */
const STOP_LIMIT_MS = 15_000;

/**
 * Pipe of a process that serves to the first of its line, its keeper: the one that was started, which has its id in the
 * system's eyes and the embedded database. All processes of the line share the pipe, so that it is never ended here.
 */
export class KeeperPipe {
  readonly descriptor: number;
  /** Resolves when the keeper has ended. */
  readonly gone: Promise<unknown>;
  readonly #socket: Socket;

  constructor(descriptor: number) {
    this.descriptor = descriptor;
    this.#socket = new Socket({ fd: descriptor, readable: true, writable: true });
    this.#socket.on('error', () => {});
    this.gone = once(this.#socket, 'close');
    this.#socket.resume();
  }

  tellServing(pid: number): void {
    this.#socket.write(`serving ${pid}\n`);
  }

  tellEnded(pid: number, exitCode: number): void {
    this.#socket.write(`ended ${pid} ${exitCode}\n`);
  }
}

/** @returns null: this process is the first of its line */
export function findKeeper(inherited: readonly InheritedDescriptor[]): KeeperPipe | null {
  const found = inherited.find(({ name }) => name === KEEPER);
  return found ? new KeeperPipe(found.fd) : null;
}

/** The processes after this one, the first of their line. */
export class ServingLine {
  /** Exit code of the one that serves last. */
  readonly ended: Promise<number>;
  #pid: number;

  constructor(pid: number, pipe: Readable) {
    this.#pid = pid;
    pipe.on('error', () => {});
    this.ended = new Promise((resolve) => {
      pipe.once('close', () => resolve(1));
      createInterface({ input: pipe }).on('line', (line) => {
        const [what, pid, exitCode] = line.split(' ');
        if (what === 'serving') this.#pid = Number(pid);
        // One in whose place another process serves by now ends as well.
        if (what === 'ended' && Number(pid) === this.#pid) resolve(Number(exitCode));
      });
    });
  }

  /** Passes a signal on to the process that serves. */
  signal(signal: NodeJS.Signals): void {
    try {
      process.kill(this.#pid, signal);
    } catch {
      // It has ended, as the pipe tells.
    }
  }

  /** Ends the process that serves, by force if it takes long. */
  async stop(): Promise<void> {
    this.signal('SIGTERM');
    const limit = new AbortController();
    const isLate = delay(STOP_LIMIT_MS, true, { signal: limit.signal });
    if (await Promise.race([this.ended.then(() => false), isLate])) this.signal('SIGKILL');
    limit.abort();
  }
}
