import http from 'node:http';
import https from 'node:https';
import type { AddressRules } from './address-rules.ts';
import { LookupError } from './look-up-names.ts';
import {
  AddressRefusedError,
  type Asker,
  answerWith,
  type Resolve,
  type ResolvedAddress,
  resolveChecked,
} from './resolve.ts';
import { readTargetUrl } from './target-url.ts';

/** Maximum bytes of an answer; the rest is not read. */
const MAX_BODY_BYTES = 64 * 1024;
const CONNECT_LIMIT_MS = 10_000;
const TOTAL_LIMIT_MS = 15_000;

export interface OutgoingRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string | Buffer | null;
}

export interface OutgoingAnswer {
  kind: 'answer';
  status: number;
  /** Headers by their names in lower case. */
  headers: http.IncomingHttpHeaders;
  /** First 64 kB of the body. */
  body: string;
  elapsedMs: number;
}

/** No answer. */
interface OutgoingFailure {
  kind: 'failure';
  /** `no_lookup`: the service could not look up any name. */
  cause: 'bad_address' | 'address_refused' | 'certificate' | 'timeout' | 'unreachable' | 'no_lookup';
  /** Sentence for people, without the address and its secrets. */
  detail: string;
  elapsedMs: number;
}

export type OutgoingResult = OutgoingAnswer | OutgoingFailure;
/** @param organizationId UUID of the organization whose limits of look-ups and time it counts towards */
export type SendRequest = (request: OutgoingRequest, organizationId: string) => Promise<OutgoingResult>;

export interface OutgoingOptions {
  rules: AddressRules;
  resolve: Resolve;
  connectLimitMs?: number;
  totalLimitMs?: number;
  /** Trusted CA beside those of Node, in PEM. */
  ca?: string;
}

/**
 * The one way in which the service sends requests to addresses that users choose. Every address of the host is
 * checked, and the connection goes to a checked one (a name that resolves to another address a moment later changes
 * nothing), with `Host` and the name of the certificate unchanged. No redirect is followed, no connection kept. It
 * always resolves.
 */
export function createSendRequest(options: OutgoingOptions): SendRequest {
  return async (request, organizationId) => {
    const startedAt = performance.now();
    const elapsed = () => Math.round(performance.now() - startedAt);
    const fail = (cause: OutgoingFailure['cause'], detail: string): OutgoingFailure => ({
      kind: 'failure',
      cause,
      detail,
      elapsedMs: elapsed(),
    });
    const read = readTargetUrl(request.url);
    if ('problem' in read) return fail('bad_address', read.problem);
    const limitMs = options.totalLimitMs ?? TOTAL_LIMIT_MS;
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), limitMs);
    try {
      const asker = { organizationId, signal: limit.signal };
      const addresses = await withinLimit(findAddresses(read.url, options, asker), limit.signal);
      const answer = await exchange(request, read.url, { addresses, limit, options });
      return { kind: 'answer', ...answer, elapsedMs: elapsed() };
    } catch (error) {
      if (limit.signal.aborted) return fail('timeout', `No complete answer within ${elapsed()} ms.`);
      const { cause, detail } = explain(error);
      return fail(cause, detail);
    } finally {
      clearTimeout(timer);
    }
  };
}

function findAddresses(
  url: URL,
  { rules, resolve }: OutgoingOptions,
  asker: Asker,
): Promise<ResolvedAddress[]> {
  return resolveChecked(url.hostname.replace(/^\[|\]$/g, ''), { rules, resolve, asker });
}

/** Stops waiting at the limit: the system's look-up itself cannot be ended. */
function withinLimit<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('The request timed out.')), { once: true });
    work.then(resolve, reject);
  });
}

interface Exchange {
  addresses: ResolvedAddress[];
  /** Ends the exchange. */
  limit: AbortController;
  options: OutgoingOptions;
}

function exchange(
  { method, headers, body }: OutgoingRequest,
  url: URL,
  { addresses, limit, options }: Exchange,
): Promise<Pick<OutgoingAnswer, 'status' | 'headers' | 'body'>> {
  return new Promise((resolve, reject) => {
    const client = url.protocol === 'https:' ? https : http;
    const request = client.request(url, {
      method,
      headers: { ...headers, ...(body !== null && { 'content-length': String(Buffer.byteLength(body)) }) },
      // A kept connection would bypass the check of the next request.
      agent: false,
      lookup: answerWith(addresses),
      signal: limit.signal,
      ...(options.ca !== undefined && { ca: options.ca }),
    });
    const connecting = setTimeout(() => limit.abort(), options.connectLimitMs ?? CONNECT_LIMIT_MS);
    request.on('socket', (socket) => {
      socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => clearTimeout(connecting));
    });
    request.on('error', reject);
    // Such as an upgrade that was never requested.
    request.on('close', () => {
      clearTimeout(connecting);
      reject(new Error('The connection ended before an answer.'));
    });
    request.on('response', (response) => {
      const { statusCode: status = 0 } = response;
      const finish = (text: string) => {
        resolve({ status, headers: response.headers, body: text });
        request.destroy();
      };
      readStart(response, finish, reject);
    });
    request.end(body ?? undefined);
  });
}

function readStart(
  response: http.IncomingMessage,
  finish: (text: string) => void,
  reject: (error: unknown) => void,
): void {
  const pieces: Buffer[] = [];
  let bytes = 0;
  const toText = () => Buffer.concat(pieces).subarray(0, MAX_BODY_BYTES).toString('utf8');
  response.on('data', (piece: Buffer) => {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes >= MAX_BODY_BYTES) finish(toText());
  });
  response.on('end', () => finish(toText()));
  response.on('error', reject);
}

const CERTIFICATE_CODE =
  /^(?:CERT_|ERR_TLS_|ERR_SSL_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_|HOSTNAME_MISMATCH|EPROTO)/;

function explain(error: unknown): Pick<OutgoingFailure, 'cause' | 'detail'> {
  if (error instanceof AddressRefusedError) return { cause: 'address_refused', detail: error.message };
  if (error instanceof LookupError)
    return { cause: error.isOwnFault ? 'no_lookup' : 'unreachable', detail: error.message };
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (
    code === 'ERR_INVALID_CHAR' ||
    code === 'ERR_HTTP_INVALID_HEADER_VALUE' ||
    code === 'ERR_UNESCAPED_CHARACTERS'
  )
    return {
      cause: 'bad_address',
      detail: 'The address or a header contains a character that cannot be sent.',
    };
  if (CERTIFICATE_CODE.test(code))
    return { cause: 'certificate', detail: `The TLS certificate is not accepted (${code}).` };
  return { cause: 'unreachable', detail: `The connection failed (${code || 'ended early'}).` };
}
