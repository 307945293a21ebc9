import type { Call } from './call.ts';
import { MAX_REQUESTS_UNDER_WAY } from './clean/limits.ts';
import { type Delivery, deliver, type Settle } from './delivery.ts';
import { internalFailure } from './outcome.ts';
import { type Batch, WaitingCalls } from './waiting-calls.ts';

/**
 * Gives waiting calls to at most 16 requests at a time. A request keeps its place while it waits for
 * another attempt: a failing server gets no additional requests meanwhile. Every call that was
 * added is settled exactly once.
 */
export class Dispatcher {
  readonly #delivery: Delivery;
  readonly #settle: Settle;
  readonly #waiting = new WaitingCalls();
  #requestsUnderWay = 0;
  #callsUnderWay = 0;
  #bulkAvailable = true;
  #scheduled = false;

  constructor(delivery: Delivery, settle: Settle) {
    this.#delivery = delivery;
    this.#settle = settle;
  }

  get callsWaiting(): number {
    return this.#waiting.size;
  }

  get callsUnderWay(): number {
    return this.#callsUnderWay;
  }

  hasRoomFor(bytes: number): boolean {
    return this.#waiting.hasRoomFor(bytes);
  }

  add(call: Call): void {
    this.#waiting.add(call);
    if (this.#scheduled) return;
    this.#scheduled = true;
    // Deferred: calls made in a row may share requests.
    queueMicrotask(() => {
      this.#scheduled = false;
      this.#dispatch();
    });
  }

  #dispatch(): void {
    while (this.#requestsUnderWay < MAX_REQUESTS_UNDER_WAY) {
      const batch = this.#waiting.take(this.#bulkAvailable);
      if (!batch) return;
      void this.#run(batch);
    }
  }

  /** Never rejects. */
  async #run(batch: Batch): Promise<void> {
    const settle: Settle = (call, outcome) => {
      if (call.resolve === null) return;
      this.#callsUnderWay--;
      this.#settle(call, outcome);
    };
    this.#requestsUnderWay++;
    this.#callsUnderWay += batch.calls.length;
    try {
      const oneByOne = await deliver(batch, this.#delivery, settle);
      if (oneByOne.length > 0) this.#sendOneByOne(oneByOne);
    } catch (error) {
      for (const call of batch.calls) settle(call, internalFailure(error));
    }
    this.#requestsUnderWay--;
    this.#dispatch();
  }

  #sendOneByOne(calls: readonly Call[]): void {
    this.#bulkAvailable = false;
    this.#callsUnderWay -= calls.length;
    this.#waiting.putBack(calls);
  }
}
