import { type Server, STATUS_CODES } from 'node:http';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { FailureLog } from './error-handling.ts';
import { toAnswer, toApiError } from './error-handling.ts';
import { type Answer, recordAnswer } from './record-answer.ts';
import type { HttpMetrics } from './request-metrics.ts';

/** Takes the connections of a server before `node:http` does, and passes on those that it does not serve. */
export type FrontDoor = (server: Server, answers: DirectAnswers) => void;

/** Connection of a request that is answered without `node:http`. */
export interface DirectConnection {
  /** True if a further request may follow the answer. */
  readonly goesOn: boolean;
  /** Time since the request began. */
  readonly elapsedMs: number;
  /** Writes a whole answer, and ends the connection after it unless it continues. */
  answer: (text: string, encoding: 'latin1' | 'utf8') => void;
}

/** A request that is answered without the framework. */
interface Exchange {
  connection: DirectConnection;
  method: string;
  /** Pattern of the route by which the framework would answer it. */
  route: string;
}

/** Answers without the framework: the same bytes, metrics and log lines as with it. */
export interface DirectAnswers {
  /**
   * @param headerLines each with its line break; the headers of every answer are added
   * @param body ASCII text
   */
  accept: (exchange: Exchange, headerLines: string, body: string) => void;
  /** @returns the id of the request in the answer */
  refuse: (exchange: Exchange, error: unknown) => string;
}

export interface DirectAnswerDependencies {
  service: Answer['service'];
  log: Log;
  metrics: HttpMetrics;
  newRequestId: () => string;
  logFailure: FailureLog;
  clock: Clock;
  keepAliveTimeoutMs: number;
}

export function createDirectAnswers(dependencies: DirectAnswerDependencies): DirectAnswers {
  const { service, log, metrics, newRequestId, logFailure, clock, keepAliveTimeoutMs } = dependencies;
  const dateLine = createDateLine(clock);
  const keepAlive = `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(keepAliveTimeoutMs / 1_000)}\r\n`;
  const close = 'Connection: close\r\n';

  /** Writes the headers in the order of `node:http`. */
  const write = (
    { connection }: Exchange,
    status: number,
    headerLines: string,
    { text, bytes }: { text: string; bytes: number },
  ) => {
    connection.answer(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${headerLines}content-length: ${bytes}\r\n` +
        `${dateLine()}${connection.goesOn ? keepAlive : close}\r\n${text}`,
      bytes === text.length ? 'latin1' : 'utf8',
    );
  };
  const record = (
    { method, route }: Exchange,
    status: number,
    elapsedMs: number,
    requestId: () => string,
  ) => {
    recordAnswer(metrics, log, { service, requestId, method, route, status, elapsedMs });
  };

  return {
    accept: (exchange, headerLines, body) => {
      const { elapsedMs } = exchange.connection;
      write(exchange, 202, headerLines, { text: body, bytes: body.length });
      record(exchange, 202, elapsedMs, newRequestId);
    },
    refuse: (exchange, error) => {
      const { elapsedMs } = exchange.connection;
      const requestId = newRequestId();
      const apiError = toApiError(error);
      logFailure(error, apiError, { requestId, method: exchange.method, route: exchange.route });
      const { status, headers, problem } = toAnswer(apiError, requestId);
      const text = JSON.stringify(problem);
      write(exchange, status, toLines(headers), { text, bytes: Buffer.byteLength(text) });
      record(exchange, status, elapsedMs, () => requestId);
      return requestId;
    },
  };
}

export function toLines(headers: Record<string, string | number>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
}

/** Caches the line: its text changes only once a second. */
function createDateLine(clock: Clock): () => string {
  let second = Number.NaN;
  let line = '';
  return () => {
    const now = Math.floor(clock.now() / 1_000);
    if (now !== second) {
      second = now;
      line = `Date: ${new Date(now * 1_000).toUTCString()}\r\n`;
    }
    return line;
  };
}
