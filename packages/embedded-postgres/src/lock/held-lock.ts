import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readIfThere } from '../data-directory/files.ts';
import { waitUntil } from '../platform/wait.ts';
import { alreadyRunning, type PreviousHolder } from './holder.ts';
import { type BeatingFile, identityOf } from './lock-file.ts';
import { isListening, type LockSocket, SOCKET_NAME } from './lock-socket.ts';

export interface HeldLockOptions {
  path: string;
  own: BeatingFile;
  renewEveryMs: number;
  /** How long processes of a server that was killed may take to notice that they are orphans. */
  leftoversLimitMs: number;
  warn: (message: string) => void;
  listenAt: (path: string) => Promise<LockSocket>;
  /** Creates the lock again if it is missing; null if another process was faster. */
  recreate: () => Promise<BeatingFile | null>;
}

/**
 * A lock from its draft on: renewed until it is released. While it is held, `lost` resolves when another process
 * holds it instead; this one must then stop using the data at once. That happens only to a process that was stopped
 * for longer than the others wait, without a socket that shows them that it still exists.
 */
export class HeldLock {
  readonly lost: Promise<void>;
  readonly #options: HeldLockOptions;
  readonly #timer: NodeJS.Timeout;
  #own: BeatingFile;
  #previous: PreviousHolder | null = null;
  #socket: LockSocket | null = null;
  #renewal: Promise<void> | null = null;
  #tellLost: () => void = () => {};

  constructor(options: HeldLockOptions) {
    this.#options = options;
    this.#own = options.own;
    this.lost = new Promise((resolve) => (this.#tellLost = resolve));
    this.#timer = setInterval(() => {
      this.#renewal ??= this.#renew().finally(() => (this.#renewal = null));
    }, options.renewEveryMs);
    this.#timer.unref();
  }

  /** Records that this process has acquired the lock. */
  acquired(previous: PreviousHolder): void {
    this.#previous = previous;
  }

  /**
   * Listens beside the lock, so that processes of other containers see at once that it is held. Called when the
   * processes that the previous holder has left running here have ended.
   * @returns the descriptor of the socket, for processes that keep the data in use; null if there is none
   * @throws EmbeddedPostgresError `already_running` if a process that cannot be seen from here listens there
   */
  async listen(): Promise<number | null> {
    const { path, leftoversLimitMs, warn, listenAt } = this.#options;
    const socket = join(dirname(path), SOCKET_NAME);
    // A holder that is known to have died here has left nothing elsewhere.
    const isFree = async () => this.#previous === 'dead here' || !(await isListening(socket));
    if (!(await waitUntil(leftoversLimitMs, isFree))) throw alreadyRunning(path, null, false);
    try {
      this.#socket = await listenAt(socket);
      return this.#socket.descriptor;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      warn(
        `The file system of ${dirname(path)} takes no Unix socket (${reason}). Other containers and machines ` +
          'see only by the renewed lock file that the directory is in use.',
      );
      return null;
    }
  }

  async release(): Promise<void> {
    clearInterval(this.#timer);
    await this.#renewal;
    await this.#socket?.close();
    if (this.#previous !== null && (await this.#isNamed())) await rm(this.#options.path, { force: true });
    await this.#own.close();
  }

  /** Renews the lock. Never rejects: after a failure of the file system it is tried again the next time. */
  async #renew(): Promise<void> {
    try {
      await this.#own.beat();
      if (this.#previous === null || (await this.#isNamed())) return;
      // Without the socket, another process may have come and gone in the meantime.
      if (!(await this.#socket?.isInPlace())) {
        if (await this.#isNamed()) return;
        clearInterval(this.#timer);
        this.#tellLost();
        return;
      }
      // A process that takes a lock that was removed is refused by the socket and releases it.
      const replacement = await this.#options.recreate();
      if (replacement === null) return;
      await this.#own.close();
      this.#own = replacement;
    } catch {}
  }

  async #isNamed(): Promise<boolean> {
    const content = await readIfThere(this.#options.path);
    return content !== null && identityOf(content) === this.#own.identity;
  }
}
