import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Log } from '../platform/log.ts';
import type { FailureLog } from './error-handling.ts';
import { toAnswer, toApiError } from './error-handling.ts';
import { type Answer, recordAnswer } from './record-answer.ts';
import type { HttpMetrics } from './request-metrics.ts';

/**
 * The one listener of a server's requests. It answers those that it knows by itself, and hands every other one to the
 * framework before anything of its body was read.
 */
export type FrontDoor = (framework: RequestListener, answers: DirectAnswers) => RequestListener;

/** A request that is answered past the framework. */
export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  /** The pattern of the route that the framework would answer it by. */
  route: string;
  /** By `performance.now()`. */
  beganAtMs: number;
}

/** Answers past the framework: the same bytes, metrics and log lines as by it. */
export interface DirectAnswers {
  /** @param headers name and value in turn, the length of the body included */
  send: (exchange: Exchange, status: number, headers: string[], body: string) => void;
  refuse: (exchange: Exchange, error: unknown) => void;
}

export interface DirectAnswerDependencies {
  service: Answer['service'];
  log: Log;
  metrics: HttpMetrics;
  newRequestId: () => string;
  logFailure: FailureLog;
}

export function createDirectAnswers(dependencies: DirectAnswerDependencies): DirectAnswers {
  const { service, log, metrics, newRequestId, logFailure } = dependencies;

  const write = ({ response }: Exchange, status: number, headers: string[], body: string) => {
    response.writeHead(status, headers);
    response.end(body);
  };
  const record = ({ request, route, beganAtMs }: Exchange, status: number, requestId: () => string) => {
    const elapsedMs = performance.now() - beganAtMs;
    recordAnswer(metrics, log, {
      service,
      requestId,
      method: request.method ?? '',
      route,
      status,
      elapsedMs,
    });
  };

  return {
    send: (exchange, status, headers, body) => {
      write(exchange, status, headers, body);
      record(exchange, status, newRequestId);
    },
    refuse: (exchange, error) => {
      const requestId = newRequestId();
      const apiError = toApiError(error);
      logFailure(error, apiError, { requestId, method: exchange.request.method, route: exchange.route });
      const { status, headers, problem } = toAnswer(apiError, requestId);
      const body = JSON.stringify(problem);
      const lines = Object.entries(headers).flatMap(([name, value]) => [name, String(value)]);
      lines.push('content-length', String(Buffer.byteLength(body)));
      write(exchange, status, lines, body);
      record(exchange, status, () => requestId);
    },
  };
}
