import type { FastifyError, FastifyReply } from 'fastify';
import { isUnavailable } from '../database/sql-state.ts';
import { ApiError, type FieldError, type HttpErrorCode, toProblem } from '../platform/errors.ts';
import type { Log } from '../platform/log.ts';
import { OutageLog } from '../platform/outage-log.ts';
import { unavailable } from '../platform/unavailable.ts';
import { DEFAULT_HEADERS, type HttpApp } from './http-app.ts';
import { closeRefusedUpgrade } from './upgrades.ts';
import { FORMATS } from './validation.ts';

/** Fastify's own errors that a client can cause, by their code. */
const FRAMEWORK_ERRORS: Record<string, { code: HttpErrorCode; detail: string }> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    code: 'unsupported_media_type',
    detail: 'This address does not accept the content type of the body.',
  },
  FST_ERR_CTP_EMPTY_TYPE: { code: 'unsupported_media_type', detail: 'The body has no content type.' },
  FST_ERR_CTP_BODY_TOO_LARGE: {
    code: 'body_too_large',
    detail: 'The body is larger than this address accepts.',
  },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    code: 'bad_request',
    detail: 'The body is not as long as Content-Length says.',
  },
};

/** Errors of @fastify/send for the address of a file, by its status. */
const FILE_REFUSALS: Record<number, { code: HttpErrorCode; detail: string }> = {
  400: { code: 'bad_request', detail: 'The address of the request is malformed.' },
  403: { code: 'not_found', detail: 'There is nothing at this address.' },
  404: { code: 'not_found', detail: 'There is nothing at this address.' },
  412: { code: 'precondition_failed', detail: 'The file is another one, or was changed since.' },
  416: { code: 'range_not_satisfiable', detail: 'The range begins behind the end of the file.' },
};

/** Errors with a status of the service that a client causes: its request is not HTTP/1.1 as served here. */
const CHOSEN_BY_CLIENT = new Set<string>([
  'not_implemented',
  'http_version_not_supported',
] satisfies HttpErrorCode[]);

/** Logs a failed request at the level of its cause. */
export type FailureLog = (error: unknown, apiError: ApiError, fields: FailedRequest) => void;

interface FailedRequest {
  requestId: string;
  method: string | undefined;
  route: string | undefined;
}

export function createFailureLog(log: Log): FailureLog {
  const outages = new OutageLog(log, 'requests failed: the database is unavailable');
  return (error, apiError, fields) => {
    const cause = error instanceof ApiError ? error.cause : error;
    if (apiError.code === 'unavailable' && cause) outages.add(apiError.message, cause);
    else if (apiError.code === 'unavailable' || CHOSEN_BY_CLIENT.has(apiError.code) || isAborted(error))
      // A limit that was reached, or an error of the client: anyone can cause as many of them as they like.
      log.debug({ ...fields, detail: apiError.message }, 'the request was not served');
    else if (apiError.kind.status >= 500) log.error({ ...fields, err: error }, 'the request failed');
  };
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Error that the request was answered with; null: none. */
    refusal: ApiError | null;
  }
}

export function installErrorHandling(app: HttpApp, logFailure: FailureLog): void {
  app.decorateRequest('refusal', null);
  app.setErrorHandler((error, request, reply) => {
    const apiError = toApiError(error);
    request.refusal = apiError;
    const { id: requestId, method } = request;
    logFailure(error, apiError, { requestId, method, route: request.routeOptions.url });
    return writeProblem(reply, apiError, requestId);
  });
}

/** True if the client disconnected before its body was complete. */
function isAborted(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  return error.code === 'ECONNRESET' || error.code === 'ERR_STREAM_PREMATURE_CLOSE';
}

/** An error as an answer: the same bytes whichever way its request came. */
export function toAnswer(error: ApiError, requestId: string) {
  const { retryAfterSeconds } = error.extras;
  const problem = toProblem(error, requestId);
  const headers: Record<string, string | number> = {
    ...DEFAULT_HEADERS,
    ...(retryAfterSeconds && { 'retry-after': retryAfterSeconds }),
    ...error.extras.headers,
    'x-request-id': requestId,
    'content-type': 'application/problem+json',
  };
  return { status: problem.status, headers, problem };
}

export function writeProblem(reply: FastifyReply, error: ApiError, requestId: string): FastifyReply {
  const { status, headers, problem } = toAnswer(error, requestId);
  reply.headers(headers);
  closeRefusedUpgrade(reply);
  return reply
    .code(status)
    .serializer((payload: unknown) => JSON.stringify(payload))
    .send(problem);
}

/** The public part of an error; every unknown one is `internal`. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const { code = '', statusCode, validation, validationContext } = (error ?? {}) as Partial<FastifyError>;
  if (validation) return toValidationError(validation, validationContext ?? 'body');
  const known = FRAMEWORK_ERRORS[code];
  if (known) return new ApiError(known.code, known.detail);
  const refusal = FILE_REFUSALS[statusCode ?? 0];
  if (refusal) return new ApiError(refusal.code, refusal.detail);
  if (isUnavailable(error)) {
    return unavailable('The database cannot take the request now.', { retryAfterSeconds: 1 });
  }
  if (isAborted(error)) return new ApiError('bad_request', 'The body ended before it was complete.');
  return new ApiError('internal', 'The error was logged under the request id.');
}

function toValidationError(
  validation: NonNullable<FastifyError['validation']>,
  context: NonNullable<FastifyError['validationContext']>,
): ApiError {
  const fields: FieldError[] = validation.map(({ instancePath, keyword, params, message }) => {
    const missing = keyword === 'required' ? `/${String(params.missingProperty)}` : '';
    const allowed = keyword === 'enum' ? `: ${(params.allowedValues as unknown[]).join(', ')}` : '';
    const format = keyword === 'format' ? FORMATS[String(params.format)]?.message : undefined;
    const text = missing ? 'is required' : (format ?? `${message ?? 'is not valid'}${allowed}`);
    return { pointer: `${instancePath}${missing}`, message: text };
  });
  const where = context === 'querystring' ? 'query' : context;
  const first = fields[0];
  const detail = first ? `${where}${first.pointer || ''} ${first.message}.` : `The ${where} is not valid.`;
  return new ApiError('validation_failed', detail, { fields });
}
