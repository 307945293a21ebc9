import type { InheritedDescriptor } from '../../http/sockets/listening-sockets.ts';
import type { Log } from '../../platform/log.ts';
import type { KeeperPipe } from './keeper.ts';
import type { ServiceFile } from './service-file.ts';
import { type Successor, startSuccessor } from './successor.ts';

/** State of the service for `tocsin restart`. */
export type RestartState = Pick<ServiceFile, 'servingPid' | 'problem' | 'isRestarting'>;

export interface RestartOptions {
  /** Program that serves next, and its arguments. */
  command: readonly string[];
  environment: NodeJS.ProcessEnv;
  /** Lists the sockets that this process listens on. */
  listSockets: () => InheritedDescriptor[];
  keeper: KeeperPipe | null;
  log: Log;
  record: (state: RestartState) => Promise<void>;
}

/**
 * Starts a process that serves in place of this one, which shares its listening sockets. Until that one is ready this one
 * serves; if it does not start, this one goes on.
 */
export class Restart {
  /** Resolves when another process serves. */
  readonly replaced: Promise<Successor>;
  readonly #options: RestartOptions;
  #successor: Successor | null = null;
  #isPossible = false;
  #tellReplaced: (successor: Successor) => void = () => {};

  constructor(options: RestartOptions) {
    this.#options = options;
    this.replaced = new Promise((resolve) => (this.#tellReplaced = resolve));
  }

  /** Allows restarts: this process serves. The one before it records that, if there is one. */
  async allow(): Promise<void> {
    if (!this.#options.keeper) await this.#record({ servingPid: process.pid });
    this.#isPossible = true;
  }

  /** Forbids restarts, and ends a process that is being started. */
  async forbid(): Promise<void> {
    this.#isPossible = false;
    await this.#stopSuccessor();
  }

  async request(): Promise<void> {
    const { keeper, log } = this.#options;
    if (!this.#isPossible || this.#successor)
      return log.warn('no restart begins while the process starts, restarts or stops');
    log.info('a new process starts in place of this one');
    // The system may refuse a further process or descriptor.
    const started = await this.#startSuccessor().catch(String);
    if (!this.#isPossible) return;
    if (typeof started === 'object') {
      log.info({ pid: started.pid }, 'the new process serves, this one finishes its requests');
      keeper?.tellServing(started.pid);
      // The keeper cannot see the end of a process that it has not started.
      void started.ended.then(() => keeper?.tellEnded(started.pid, 1));
      this.#tellReplaced(started);
      await this.#record({ servingPid: started.pid });
    } else {
      log.error({ problem: started }, 'the new process does not serve: this one goes on');
      await this.#stopSuccessor();
      await this.#record({ servingPid: process.pid, problem: started });
    }
  }

  /** Returns the process once it serves, else the reason why it does not. */
  async #startSuccessor(): Promise<Successor | string> {
    const { command, environment, keeper, listSockets } = this.#options;
    const successor = startSuccessor({
      command,
      environment,
      sockets: listSockets(),
      keeper: keeper?.descriptor ?? null,
    });
    this.#successor = successor;
    await this.#record({ servingPid: process.pid, isRestarting: true });
    return (await successor.started) ?? successor;
  }

  async #stopSuccessor(): Promise<void> {
    await this.#successor?.stop();
    this.#successor = null;
  }

  async #record(state: Partial<RestartState> & Pick<RestartState, 'servingPid'>): Promise<void> {
    const { log, record } = this.#options;
    await record({ problem: null, isRestarting: false, ...state }).catch((error: unknown) => {
      log.warn({ err: error }, 'the file for tocsin restart could not be written');
    });
  }
}
