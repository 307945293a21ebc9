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
  /** At least one; the oldest first. */
  calls: [Call, ...Call[]];
  /** Whether they travel through the bulk endpoint. */
  bulk: boolean;
}

/**
 * The calls that wait for a request, at most 131,072 of them and 64 MiB. The oldest leaves first; that is
 * why waiting needs no timer: a call ahead of another has an earlier deadline and is gone by then.
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

  /** Events that left together but must travel one by one go back to their place; nothing is refused here. */
  putBack(calls: readonly Call[]): void {
    for (const call of calls) this.#bytes += call.bytes;
    this.#events.putBack(calls);
  }

  /** The next request, or null where nothing waits. Without `bulkAllowed` each call is one of its own. */
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

/** A queue in an array whose taken front is emptied, and cut off only now and then: taking is constant in time. */
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
