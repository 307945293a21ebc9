import { bodyOf } from './call.ts';
import type { HttpRequest } from './http.ts';
import type { Settings } from './options.ts';
import type { Batch } from './waiting-calls.ts';

const PATHS = { event: 'events', server_error: 'server-error', deploy: 'deploys' } as const;

/** Writes the requests of batches. */
export class RequestWriter {
  readonly #settings: Settings;
  readonly #random: () => number;
  #clientId: string | null = null;

  constructor(settings: Settings, random: () => number) {
    this.#settings = settings;
    this.#random = random;
  }

  write({ calls, bulk }: Batch, nowMs: number): HttpRequest {
    const { baseUrl, apiKey } = this.#settings;
    if (bulk) {
      return {
        url: `${baseUrl}/ingest/bulk`,
        headers: {
          'content-type': 'application/x-ndjson',
          'x-api-key': apiKey,
          // Attempts repeat a batch or the rest of it: the same first, last and number means the same lines.
          'idempotency-key': `${this.#ownId()}-${calls[0].sequence}-${calls.at(-1)?.sequence ?? 0}-${calls.length}`,
        },
        body: bodyOf(calls, nowMs),
      };
    }
    const [call] = calls;
    return {
      url: `${baseUrl}/ingest/${PATHS[call.kind]}`,
      headers: {
        'content-type': 'application/json',
        'x-api-key': apiKey,
        // If an answer is lost, the repeated attempt does not store the event twice.
        'idempotency-key': `${this.#ownId()}-${call.sequence}`,
      },
      body: bodyOf(calls, nowMs),
    };
  }

  /** Returns 128 random bits, drawn at the first request: some edge runtimes allow no randomness before one. */
  #ownId(): string {
    this.#clientId ??= Array.from({ length: 4 }, () =>
      Math.floor(this.#random() * 2 ** 32)
        .toString(16)
        .padStart(8, '0'),
    ).join('');
    return this.#clientId;
  }
}
