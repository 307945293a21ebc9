import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from './client.ts';

const PAUSE_MS = 200;
const TIMEOUT_MS = 5_000;

/** Fields of the ledger of a project that only grow. */
interface Ledger {
  accepted: number;
  stored: number;
  queued: number;
}

/** Reads the ledger of a project in all management processes; a read that shows less than an earlier one is wrong. */
export class Readers {
  /** Reads that went back, in sentences. */
  readonly wrong: string[] = [];
  /** Times of the answers 200 of each process. */
  readonly answeredAt: number[][];
  readonly #clients: Client[];
  readonly #path: string;
  readonly #cookie: string;
  readonly #stop = new AbortController();
  #seen = { accepted: 0, stored: 0 };

  constructor(clients: Client[], projectId: string, cookie: string) {
    this.#clients = clients;
    this.#path = `/projects/${projectId}/ledger`;
    this.#cookie = cookie;
    this.answeredAt = clients.map(() => []);
  }

  async run(): Promise<void> {
    await Promise.all(this.#clients.map((client, place) => this.#repeat(client, place)));
  }

  stop(): void {
    this.#stop.abort();
  }

  /** Waits until the queue is empty, at most for that time: what is not stored then counts as lost. */
  async waitUntilStored(maxWaitMs: number): Promise<void> {
    const latest = performance.now() + maxWaitMs;
    for (const client of this.#clients)
      while ((await this.#read(client))?.queued !== 0 && performance.now() < latest) await delay(PAUSE_MS);
  }

  async #repeat(client: Client, place: number): Promise<void> {
    while (!this.#stop.signal.aborted) {
      // Any process may have shown it, before this read began.
      const least = { ...this.#seen };
      const ledger = await this.#read(client);
      if (ledger) {
        this.answeredAt[place]?.push(performance.now());
        const { accepted, stored } = ledger;
        if (accepted < least.accepted || stored < least.stored)
          this.wrong.push(
            `accepted ${accepted} after ${least.accepted}, stored ${stored} after ${least.stored}`,
          );
        this.#seen = {
          accepted: Math.max(this.#seen.accepted, accepted),
          stored: Math.max(this.#seen.stored, stored),
        };
      }
      await delay(PAUSE_MS);
    }
  }

  async #read(client: Client): Promise<Ledger | null> {
    const headers = { cookie: this.#cookie };
    const { status, body } = await client.send(this.#path, { headers, timeoutMs: TIMEOUT_MS });
    // The service of the same commit answers in its documented form.
    return status === 200 ? (body as Ledger) : null;
  }
}
