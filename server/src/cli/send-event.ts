import { randomUUID } from 'node:crypto';
import { CommandError } from '../platform/command-error.ts';
import { describeNetworkError } from './client/network-error.ts';

export interface EventToSend {
  type: string;
  severity: string;
  message: string;
  source?: string | undefined;
  correlation?: Record<string, string> | undefined;
  /** JSON object as text. It is sent as it is: parsing and serializing it could change its numbers. */
  payloadJson?: string | undefined;
}

export interface SendOptions {
  /** Address of the ingestion API. */
  url: URL;
  apiKey: string;
  /** Time limit of all attempts together. */
  timeoutMs: number;
}

const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 4_000;

/**
 * Sends one event. Network errors, 429 and 5xx are tried again until the time limit; all attempts carry one
 * idempotency key, so that the event is stored once.
 * @returns the id of its job
 * @throws CommandError with the server's message
 */
export async function sendEvent(event: EventToSend, options: SendOptions): Promise<string> {
  const deadline = performance.now() + options.timeoutMs;
  const request = makeRequest(event, options);
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
    const remainingMs = Math.max(1, Math.floor(deadline - performance.now()));
    const attempt = await tryOnce(request, remainingMs);
    if ('jobId' in attempt) return attempt.jobId;
    const waitMs = Math.max(pauseMs * (0.5 + Math.random() / 2), attempt.waitAtLeastMs);
    if (!attempt.temporary || performance.now() + waitMs >= deadline) throw new CommandError(attempt.reason);
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}

interface Failure {
  reason: string;
  temporary: boolean;
  waitAtLeastMs: number;
}

function makeRequest({ payloadJson, ...event }: EventToSend, { url, apiKey }: SendOptions): Request {
  const json = JSON.stringify({ ...event, severity: event.severity.toUpperCase() });
  // A base address may end in a path, with or without a slash.
  const address = new URL(`${url.pathname.replace(/\/+$/, '')}/ingest/events`, url);
  return new Request(address, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/json', 'x-api-key': apiKey, 'idempotency-key': randomUUID() },
    body: payloadJson === undefined ? json : `${json.slice(0, -1)},"payload":${payloadJson}}`,
  });
}

async function tryOnce(request: Request, timeoutMs: number): Promise<{ jobId: string } | Failure> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(request.clone(), { signal: AbortSignal.timeout(timeoutMs) });
    text = await response.text();
  } catch (error) {
    const reason = `${request.url} cannot be reached: ${describeNetworkError(error)}.`;
    return { reason, temporary: true, waitAtLeastMs: 0 };
  }
  const { jobId, title, detail } = parseObject(text);
  if (response.status === 202 && typeof jobId === 'string') return { jobId };
  const said = [detail, title].find((words) => typeof words === 'string') ?? response.statusText;
  return {
    reason: `The server at ${request.url} answered ${response.status}: ${said || 'nothing more'}`,
    temporary: response.status === 429 || response.status >= 500,
    waitAtLeastMs: 1000 * (Number(response.headers.get('retry-after')) || 0),
  };
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
