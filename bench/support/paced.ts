import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

const TICK_MS = 10;
const MAX_CONNECTIONS = 32;

export interface PacedLoad {
  url: string;
  apiKey: string;
  rate: number;
  bodyOf: (number: number) => string;
  onAnswer?: (number: number) => void;
}

export interface PacedEvent {
  sentAt: number;
  /** Until its answer; what waits for a connection counts as waiting. */
  elapsedMs: number;
}

/**
 * Sends single events at a steady rate until the signal, whether the answers come or not: a late answer delays no further event.
 * @throws where an answer is no 202
 */
export async function sendPaced(paced: PacedLoad, signal: AbortSignal): Promise<PacedEvent[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: MAX_CONNECTIONS });
  const sends: Promise<PacedEvent & { status: number }>[] = [];
  const startedAt = performance.now();
  while (!signal.aborted) {
    const due = ((performance.now() - startedAt) * paced.rate) / 1_000;
    while (sends.length < due) sends.push(send(paced, agent, sends.length));
    await delay(TICK_MS);
  }
  const events = await Promise.all(sends);
  agent.destroy();
  const refused = events.find(({ status }) => status !== 202);
  if (refused) throw new Error(`An event was answered with ${refused.status}.`);
  return events;
}

/** Status 0: the request failed. */
function send(paced: PacedLoad, agent: Agent, number: number): Promise<PacedEvent & { status: number }> {
  const body = paced.bodyOf(number);
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'x-api-key': paced.apiKey,
  };
  const sentAt = performance.now();
  return new Promise((resolve) => {
    const end = (status: number) => resolve({ sentAt, elapsedMs: performance.now() - sentAt, status });
    const sent = request(paced.url, { method: 'POST', agent, headers }, (answer) => {
      answer.resume();
      answer.once('end', () => {
        paced.onAnswer?.(number);
        end(answer.statusCode ?? 0);
      });
    });
    sent.once('error', () => end(0));
    sent.end(body);
  });
}
