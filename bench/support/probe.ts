import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

export interface ProbeResult {
  /** 0: the request failed. */
  status: number;
  elapsedMs: number;
}

export interface ProbeOptions {
  url: string;
  apiKey: string;
  body: string;
}

/** A client that sends one event at a time over one connection that stays open. */
export class Probe {
  readonly #options: ProbeOptions;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(options: ProbeOptions) {
    this.#options = options;
  }

  /** Sends an event and, `pauseMs` after each answer, another one, until the signal. */
  async repeat(pauseMs: number, signal: AbortSignal): Promise<ProbeResult[]> {
    const probed: ProbeResult[] = [];
    while (!signal.aborted) {
      probed.push(await this.send());
      await delay(pauseMs);
    }
    return probed;
  }

  send(): Promise<ProbeResult> {
    const { url, apiKey, body } = this.#options;
    const sentAt = performance.now();
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'x-api-key': apiKey,
    };
    return new Promise((resolve) => {
      const end = (status: number) => resolve({ status, elapsedMs: performance.now() - sentAt });
      const sent = request(url, { method: 'POST', agent: this.#agent, headers }, (answer) => {
        answer.resume();
        answer.once('end', () => end(answer.statusCode ?? 0));
      });
      sent.once('error', () => end(0));
      sent.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
