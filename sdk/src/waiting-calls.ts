import type { Call } from './call.ts';
import {
  BULK_THRESHOLD,
  MAX_BULK_BYTES,
  MAX_BULK_LINES,
  MAX_BULK_SPAN_MS,
  MAX_WAITING_BYTES,
  MAX_WAITING_CALLS,
} from './clean/limits.ts';

export interface Batch {
  /** Calls, at least one, the oldest first. */
  calls: [Call, ...Call[]];
  /** True if they are sent to the bulk endpoint. */
  bulk: boolean;
}

/**
 * The calls that wait for a request, at most 131,072 of them and 64 MiB. The oldest leaves first, which is
 * why waiting needs no timer: a call ahead of another has an earlier deadline and has left by then.
 */
export class WaitingCalls {
  readonly #events = new Fifo();
  readonly #alone = new Fifo();
  #bytes = 0;

  get size(): number {
    return this.#events.size + this.#alone.size;
  }

  hasRoomFor(bytes: number): boolean {
    return this.size < MAX_WAITING_CALLS && this.#bytes + bytes <= MAX_WAITING_BYTES;
  }

  add(call: Call): void {
    this.#bytes += call.bytes;
    (call.kind === 'event' ? this.#events : this.#alone).push(call);
  }

  /** Puts back events that left together but must be sent one by one; refuses none. */
  putBack(calls: readonly Call[]): void {
    for (const call of calls) this.#bytes += call.bytes;
    this.#events.putBack(calls);
  }

  /** Returns the next request; null if no call waits. Without `bulkAllowed` each call has its own. */
  take(bulkAllowed: boolean): Batch | null {
    const bulk = bulkAllowed && this.#events.size > BULK_THRESHOLD;
    const event = this.#events.peek();
    const alone = this.#alone.peek();
    const eventIsOlder = event && (!alone || event.sequence < alone.sequence);
    const first = (eventIsOlder ? this.#events : this.#alone).shift();
    if (!first) return null;

    this.#bytes -= first.bytes;
    if (first.kind === 'event' && bulk) return { calls: this.#fillBulk(first), bulk };
    return { calls: [first], bulk: false };
  }

  #fillBulk(first: Call): [Call, ...Call[]] {
    const calls: [Call, ...Call[]] = [first];
    let bytes = first.bytes;
    while (calls.length < MAX_BULK_LINES) {
      const next = this.#events.peek();
      if (!next || next.calledAtMs - first.calledAtMs > MAX_BULK_SPAN_MS) break;
      if (bytes + next.bytes > MAX_BULK_BYTES) break;
      this.#events.shift();
      this.#bytes -= next.bytes;
      bytes += next.bytes;
      calls.push(next);
    }
    return calls;
  }
}

/** A queue in an array whose emptied front is cut off only now and then: taking has constant cost. */
class Fifo {
  #calls: (Call | undefined)[] = [];
  #taken = 0;

  get size(): number {
    return this.#calls.length - this.#taken;
  }

  peek(): Call | undefined {
    return this.#calls[this.#taken];
  }

  push(call: Call): void {
    this.#calls.push(call);
  }

  shift(): Call | undefined {
    const call = this.#calls[this.#taken];
    if (call) this.#calls[this.#taken++] = undefined;
    if (this.#taken * 2 > this.#calls.length) {
      this.#calls = this.#calls.slice(this.#taken);
      this.#taken = 0;
    }
    return call;
  }

  putBack(calls: readonly Call[]): void {
    const left = this.#calls.slice(this.#taken).filter((call) => call !== undefined);
    this.#calls = [...calls, ...left].sort((a, b) => a.sequence - b.sequence);
    this.#taken = 0;
  }
}
