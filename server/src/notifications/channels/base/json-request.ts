import type { OutgoingAnswer, OutgoingRequest, OutgoingResult } from '../../outgoing/send-request.ts';
import { interpretResult, type Outcome } from './outcome.ts';
import type { ChannelServices } from './services.ts';

/** Builds a request with a JSON body. */
export function jsonRequest(
  method: OutgoingRequest['method'],
  url: string,
  body: object,
  { services, headers = {} }: { services: ChannelServices; headers?: Record<string, string> },
): OutgoingRequest {
  return {
    method,
    url,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': `Tocsin/${services.version}`,
      ...headers,
    },
    body: JSON.stringify(body),
  };
}

/** Interprets the only result of a channel that sends one request. */
export function interpretOnly(
  [result]: readonly OutgoingResult[],
  onSuccess: (answer: OutgoingAnswer) => Outcome,
  nowMs: number,
): Outcome {
  if (result) return interpretResult(result, onSuccess, nowMs);
  return { kind: 'retry', reason: 'Nothing was sent.', retryAfterMs: null };
}

/** Reads the object in the body of an answer; empty if there is none. */
export function readObject({ body }: Pick<OutgoingAnswer, 'body'>): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body);
    // An object by the condition; callers check its fields one by one.
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
