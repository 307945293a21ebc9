import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '@tocsin/simulation/random';
import type { Client } from './client.ts';

const TICK_MS = 5;
/** Requests under way; beyond it an event is not sent. */
const MAX_UNDER_WAY = 3_000;
const RETRY_MS = 2_000;
/** How long the sender of an event with a key repeats it. */
const MAX_REPEATING_MS = 180_000;

/** One event, as its sender knows it. */
export interface SentEvent {
  id: string;
  /** True if it has an `Idempotency-Key` and is repeated until it is acknowledged; the others are sent once. */
  isRepeated: boolean;
  isAcknowledged: boolean;
}

/** Sends events at a steady rate and keeps what was answered: the ledger outside of the system. */
export class Load {
  readonly sent: SentEvent[] = [];
  /** Times of the answers 202 of each ingestion process. */
  readonly acknowledgedAt: number[][];
  /** Number of answers by status; 0: none within the time. */
  readonly answers = new Map<number, number>();
  readonly #clients: Client[];
  readonly #random: Random;
  readonly #apiKey: string;
  readonly #underWay = new Set<Promise<void>>();
  readonly #stop = new AbortController();

  constructor(clients: Client[], random: Random, apiKey: string) {
    this.#clients = clients;
    this.#random = random;
    this.#apiKey = apiKey;
    this.acknowledgedAt = clients.map(() => []);
  }

  /** @param prefix common beginning of the ids of all events */
  async run(prefix: string, rate: number): Promise<void> {
    const startedAt = performance.now();
    for (let due = 0, number = 0; !this.#stop.signal.aborted; await delay(TICK_MS)) {
      due = ((performance.now() - startedAt) * rate) / 1_000;
      for (; number < due; number++) {
        if (this.#underWay.size >= MAX_UNDER_WAY) continue;
        const sending = this.#sendEvent(`${prefix}${number}`, number).finally(() =>
          this.#underWay.delete(sending),
        );
        this.#underWay.add(sending);
      }
    }
  }

  /** Sends no further events, and resolves when all that are under way have their last answer. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#underWay);
  }

  async #sendEvent(id: string, number: number): Promise<void> {
    const process = number % this.#clients.length;
    const event: SentEvent = { id, isRepeated: this.#random.uniform() < 0.5, isAcknowledged: false };
    this.sent.push(event);
    const headers = {
      'x-api-key': this.#apiKey,
      ...(event.isRepeated ? { 'idempotency-key': id } : {}),
    };
    const body = {
      type: 'order.placed',
      severity: 'INFO',
      message: `Order ${number} was placed`,
      source: 'shop',
      correlation: { correlation_id: id },
    };
    const until = performance.now() + MAX_REPEATING_MS;
    do {
      const answer = await this.#clients[process]?.send('/ingest/events', { method: 'POST', headers, body });
      const status = answer?.status ?? 0;
      this.answers.set(status, (this.answers.get(status) ?? 0) + 1);
      if (status === 202) {
        event.isAcknowledged = true;
        this.acknowledgedAt[process]?.push(performance.now());
        return;
      }
      if (event.isRepeated) await delay(RETRY_MS * (0.5 + this.#random.uniform()));
    } while (event.isRepeated && performance.now() < until);
  }
}
