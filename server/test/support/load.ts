import http from 'node:http';
import { waitFor } from './wait.ts';

/** Result of a load of single and bulk events. */
export interface Load {
  /** Ids of acknowledged jobs, in no order. */
  jobIds: string[];
  /** Number of requests that were acknowledged. */
  requests: number;
  /** Error codes of requests without an answer. */
  failures: string[];
  /** Answers with status 503. */
  unavailable: string[];
  /** Statuses other than 202 and 503. */
  unexpected: number[];
  /** Resolves when a number of events is acknowledged. */
  reached: (count: number) => Promise<void>;
  /** Resolves when each sender has stopped: at its first failure, or on request. */
  stop: () => Promise<void>;
}

const BULK_LINES = 20;

/**
 * Sends as many requests at a time as there are senders, until it is stopped: over kept connections, or each over a new one.
 */
export function startLoad(baseUrl: string, apiKey: string, senders: number, keepAlive = true): Load {
  const agent = new http.Agent({ keepAlive, maxSockets: senders });
  const load = {
    jobIds: [] as string[],
    requests: 0,
    failures: [] as string[],
    unavailable: [] as string[],
    unexpected: [] as number[],
  };
  let running = true;

  const event = JSON.stringify({ type: 'load', severity: 'INFO', message: 'Order 48213 was paid' });
  const sending = Array.from({ length: senders }, async (_, sender) => {
    for (let round = 0; running; round++) {
      const bulk = (sender + round) % 10 === 0;
      try {
        const { status, body } = bulk
          ? await post(agent, `${baseUrl}/ingest/bulk`, apiKey, `[${Array(BULK_LINES).fill(event).join()}]`)
          : await post(agent, `${baseUrl}/ingest/events`, apiKey, event);
        if (status === 202) {
          load.requests++;
          for (const { jobId } of [JSON.parse(body) as { jobId: string }[]].flat()) load.jobIds.push(jobId);
        } else if (status === 503) load.unavailable.push(body);
        else load.unexpected.push(status);
      } catch (error) {
        load.failures.push((error as NodeJS.ErrnoException).code ?? String(error));
        return;
      }
    }
  });
  return Object.assign(load, {
    reached: async (count: number) => {
      await waitFor(`${count} acknowledged events`, () => load.jobIds.length >= count, 60_000);
    },
    stop: async () => {
      running = false;
      await Promise.all(sending);
      agent.destroy();
    },
  });
}

function post(
  agent: http.Agent,
  url: string,
  apiKey: string,
  body: string,
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'x-api-key': apiKey };
    const request = http.request(url, { method: 'POST', agent, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text }));
      response.on('error', reject);
    });
    request.on('error', reject);
    request.end(body);
  });
}
