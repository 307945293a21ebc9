import { type Server, STATUS_CODES } from 'node:http';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { FailureLog } from './error-handling.ts';
import { toAnswer, toApiError } from './error-handling.ts';
import { type Answer, recordAnswer } from './record-answer.ts';
import type { HttpMetrics } from './request-metrics.ts';

/** Takes the connections of a server before `node:http` does, and hands those over to it that it does not serve. */
export type FrontDoor = (server: Server, answers: DirectAnswers) => void;

/** What a request that is answered past `node:http` came over. */
export interface DirectConnection {
  /** Whether a further request may follow the answer. */
  readonly goesOn: boolean;
  /** Since the request began. */
  readonly elapsedMs: number;
  /** Writes a whole answer, and ends the connection behind it where it does not go on. */
  answer: (text: string, encoding: 'latin1' | 'utf8') => void;
}

/** A request that is answered past the framework. */
interface Exchange {
  connection: DirectConnection;
  method: string;
  /** The pattern of the route that the framework would answer it by. */
  route: string;
}

/** Answers past the framework: the same bytes, metrics and log lines as by it. */
export interface DirectAnswers {
  /**
   * @param headerLines each with its line break; what every answer has is added
   * @param body of ASCII characters
   */
  accept: (exchange: Exchange, headerLines: string, body: string) => void;
  refuse: (exchange: Exchange, error: unknown) => void;
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

  /** The headers in the order in which `node:http` writes them. */
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
    },
  };
}

export function toLines(headers: Record<string, string | number>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
}

/** The text is another one only once a second. */
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
