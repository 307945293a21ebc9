import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Interval of the checks, and number of consecutive checks for which a socket may stand still: 30 s in all. */
const CHECK_INTERVAL_MS = 5_000;
const MAX_CHECKS_WITHOUT_PROGRESS = 6;
/** Minimum progress: so much within so many checks, 60 s in all, while more than a little waits. */
const MIN_PACE_BYTES = 8 * 1024 * 1024;
const CHECKS_OF_PACE = 12;
/** More than a streamed answer holds, which waits at its source. */
const LITTLE_BYTES = 256 * 1024;

interface Handle {
  /** Bytes that were passed on. */
  bytesWritten?: number;
  /** Bytes of these that the operating system has not accepted yet. */
  writeQueueSize?: number;
}

interface Progress {
  /** Bytes that the operating system accepted. */
  taken: number;
  checksWithout: number;
  /** Start of the measurement of progress. */
  begin: { taken: number; checks: number };
}

/**
 * Ends connections whose client does not read: an answer for them stays in memory for as long as they like. Only a
 * socket that has something to write, and could write none of it for 30 s, or less than 8 MiB of what is in memory in
 * 60 s, is destroyed: a client that reads a stream slowly, a request that is still arriving and one that is being
 * processed are left alone. Checks are counted and not time, so that a process that was paused itself closes no
 * socket.
 */
export class StalledSockets {
  readonly #sockets = new Map<Socket, Progress>();
  readonly #timer: NodeJS.Timeout;

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      this.#sockets.set(socket, { taken: 0, checksWithout: 0, begin: { taken: 0, checks: 0 } });
      socket.once('close', () => this.#sockets.delete(socket));
    });
    this.#timer = setInterval(() => this.check(), CHECK_INTERVAL_MS).unref();
  }

  /** Leaves a connection to others from now on: a WebSocket has limits of its own. */
  release(socket: Socket): void {
    this.#sockets.delete(socket);
  }

  /** Runs one check; called every five seconds. */
  check(): void {
    for (const [socket, progress] of this.#sockets) {
      const taken = bytesTaken(socket);
      const stands = socket.writableLength > 0 && taken === progress.taken;
      progress.taken = taken;
      progress.checksWithout = stands ? progress.checksWithout + 1 : 0;
      if (progress.checksWithout >= MAX_CHECKS_WITHOUT_PROGRESS || isTooSlow(socket, progress))
        socket.destroy();
    }
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}

/** Measures the progress of a socket from check to check. */
function isTooSlow({ writableLength }: Socket, { taken, begin }: Progress): boolean {
  if (writableLength <= LITTLE_BYTES || taken - begin.taken >= MIN_PACE_BYTES) {
    begin.taken = taken;
    begin.checks = 0;
    return false;
  }
  begin.checks++;
  return begin.checks > CHECKS_OF_PACE;
}

/**
 * Number of bytes of a socket that the operating system has accepted so far. `bytesWritten` counts a chunk when it is
 * passed on, which may be megabytes before any of it moves; only the handle knows how much of it still waits.
 */
function bytesTaken(socket: Socket): number {
  // Node has no public name for it. Without it a chunk counts once it is written as a whole.
  const { _handle: handle } = socket as Socket & { _handle?: Handle | null };
  return (handle?.bytesWritten ?? 0) - (handle?.writeQueueSize ?? socket.writableLength);
}
