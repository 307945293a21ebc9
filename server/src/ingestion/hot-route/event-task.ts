import type { KeyedQueue, QueueOptions, Refusal, Task } from '../../platform/keyed-queue.ts';
import { refusePlace } from '../intake/refuse-place.ts';
import { type Connection, clientLeft, hasLeft, LEAVING_MS } from '../intake/waiting-lines.ts';

/**
 * Events at work are parsed, validated, and wait for their commit; the others wait with bodies that are not parsed. A
 * client sends its next event on a connection after the answer to the last one, so however many connections send, a
 * turn of the event loop reads about as many events as were just answered, and an answer is never far behind the
 * commit.
 *
 * Guarantee: a project with few events at work neither waits nor is refused because of another one.
 */
export const EVENT_QUEUE: QueueOptions = {
  // Several commits' worth. With more, another project waits longer; with fewer, commits are smaller and cost more an
  // event.
  maxRunning: 256,
  minRunningPerKey: 8,
  maxWaiting: 16_384,
  maxWaitingBytes: 64 * 1024 * 1024,
  maxShare: 1 / 2,
};
/** Maximum wait for a slot: the client of an event that has waited longer is about to give up, so it is refused. */
const MAX_WAIT_MS = 5_000;
/** `Buffer.from` copies longer ones into an allocation of their own again. */
const MAX_POOLED_BYTES = Buffer.poolSize / 2;
const TOO_MANY = 'Too many requests wait.';

interface WaitingEvent {
  connection: Connection;
  owner: { projectId: string };
  body: Buffer;
}

export interface EventPath<Event> {
  events: KeyedQueue;
  monotonicMs: () => number;
  accept: (event: Event) => Promise<void>;
  /** Refuses an event; never throws. */
  refuse: (event: Event, error: unknown) => Promise<void>;
}

/** An event in the queue. A class, so that thousands that wait hold neither functions nor promises of their own. */
export class EventTask<Event extends WaitingEvent> implements Task {
  readonly #event: Event;
  readonly #path: EventPath<Event>;
  /** Time at which it began to wait. */
  #sinceMs = Infinity;

  constructor(event: Event, path: EventPath<Event>) {
    this.#event = event;
    this.#path = path;
  }

  get key(): string {
    return this.#event.owner.projectId;
  }

  get bytes(): number {
    return this.#event.body.length;
  }

  /** Moves a small body into shared memory: a buffer that a socket reads is an allocation of its own. */
  hold(): void {
    this.#sinceMs = this.#path.monotonicMs();
    const { body } = this.#event;
    if (body.length <= MAX_POOLED_BYTES) this.#event.body = Buffer.from(body);
  }

  begin(): void {
    void this.#run();
  }

  refuse(refusal: Refusal): void {
    void this.#path.refuse(this.#event, refusePlace(refusal, TOO_MANY));
  }

  async #run(): Promise<void> {
    const { accept, events, refuse } = this.#path;
    try {
      this.#assertAwaited();
      await accept(this.#event);
    } catch (error) {
      void refuse(this.#event, error);
    }
    events.leave(this.key);
  }

  #assertAwaited(): void {
    if (this.#sinceMs === Infinity) return;
    const nowMs = this.#path.monotonicMs();
    if (hasLeft({ sinceMs: this.#sinceMs, connection: this.#event.connection }, nowMs - LEAVING_MS))
      throw clientLeft();
    if (nowMs - this.#sinceMs > MAX_WAIT_MS) throw refusePlace('late', TOO_MANY);
  }
}
