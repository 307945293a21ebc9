import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { faultsOf } from './strict-rules.ts';

export interface ReceivedRequest {
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
  /** Number of the request over all paths, from 0. */
  index: number;
}

export interface Answer {
  status: number;
  headers?: Record<string, string>;
  body?: unknown;
}

/** `hang` never answers, `reset` breaks the connection. */
export type Responder = (request: ReceivedRequest) => Answer | 'hang' | 'reset' | Promise<Answer>;

export interface FakeIngestion {
  baseUrl: string;
  requests: ReceivedRequest[];
  /** Returns the bodies of all events in the order of arrival, single and bulk. */
  events: () => Record<string, unknown>[];
  paths: () => string[];
  mostAtOnce: () => number;
  connections: () => number;
}

/** Starts an ingestion on a real socket, by default as strict as the real one. It ends with the test. */
export async function startIngestion(respond: Responder = acceptStrictly): Promise<FakeIngestion> {
  const requests: ReceivedRequest[] = [];
  let underWay = 0;
  let mostAtOnce = 0;
  let connections = 0;

  const server = createServer((request, response) => {
    mostAtOnce = Math.max(mostAtOnce, ++underWay);
    response.on('close', () => underWay--);
    void receive(request, response);
  });
  server.on('connection', () => connections++);

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const received = { path: request.url ?? '', headers: request.headers, body, index: requests.length };
    requests.push(received);
    const answer = await respond(received);
    if (answer === 'hang') return;
    if (answer === 'reset') {
      request.socket.destroy();
      return;
    }
    const content = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body ?? {});
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers }).end(content);
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    events: () =>
      requests.flatMap(({ body }) =>
        body.split('\n').map((line) => JSON.parse(line) as Record<string, unknown>),
      ),
    paths: () => requests.map(({ path }) => path),
    mostAtOnce: () => mostAtOnce,
    connections: () => connections,
  };
}

/** Answers 202 to events that follow the rules and 400 to others, line by line for a bulk body. */
export function acceptStrictly({ path, body }: ReceivedRequest): Answer {
  if (path === '/ingest/bulk') {
    const lines = body.split('\n');
    if (lines.length > 10_000 || Buffer.byteLength(body) > 10 * 1_048_576) return { status: 413 };
    return { status: 202, body: lines.map((line) => judge('/ingest/events', line).body) };
  }
  const { status, body: result } = judge(path, body);
  return { status, body: status === 400 ? (result as { error: unknown }).error : result };
}

function judge(path: string, body: string): Answer {
  const faults = faultsOf(path, body);
  if (faults.length === 0) return { status: 202, body: { jobId: `job_${nextJob++}`, status: 'queued' } };
  const error = { status: 400, code: 'validation_failed', detail: faults.join('; ') };
  return { status: 400, body: { error } };
}

let nextJob = 1;
