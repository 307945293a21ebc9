/** An error that a client can see: its stable code, its status and its public title. */
export interface ErrorKind<Code extends string = string> {
  code: Code;
  status: number;
  title: string;
}

/** Declares the errors of one owner. `roles/errors.ts` has all of them. */
export function defineErrors<Code extends string>(
  table: Record<Code, { status: number; title: string }>,
): { readonly [C in Code]: ErrorKind<C> } {
  const entries = Object.entries<{ status: number; title: string }>(table);
  // The entries of a record keep its keys, which their type does not express.
  return Object.fromEntries(entries.map(([code, kind]) => [code, { code, ...kind }])) as {
    [C in Code]: ErrorKind<C>;
  };
}

/**
 * The errors of HTTP itself and those that several resources answer with. The codes of one resource are in the
 * `errors.ts` of its folder. An error without a declared code leaves the service as `internal`, without its details.
 */
export const HTTP_ERRORS = defineErrors({
  malformed_json: { status: 400, title: 'The body is not valid JSON' },
  validation_failed: { status: 400, title: 'The request does not fit the schema' },
  bad_request: { status: 400, title: 'The request is malformed' },
  unauthenticated: { status: 401, title: 'No valid session' },
  cross_origin: { status: 403, title: 'The request comes from another site' },
  forbidden: { status: 403, title: 'Your role does not allow this' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'The method is not allowed here' },
  request_timeout: { status: 408, title: 'The request took too long' },
  limit_reached: { status: 409, title: 'A limit is reached' },
  precondition_failed: { status: 412, title: 'The file is not the one that the request names' },
  body_too_large: { status: 413, title: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'The body is not of a supported type' },
  unsupported_encoding: { status: 415, title: 'The content encoding is not supported' },
  range_not_satisfiable: { status: 416, title: 'The file has no such range' },
  headers_too_large: { status: 431, title: 'The headers are too large' },
  internal: { status: 500, title: 'Something went wrong on our side' },
  not_implemented: { status: 501, title: 'The transfer coding is not supported' },
  unavailable: { status: 503, title: 'The service cannot take the request now' },
  http_version_not_supported: { status: 505, title: 'The version of HTTP is not supported' },
});

export type HttpErrorCode = keyof typeof HTTP_ERRORS;

export interface FieldError {
  /** JSON pointer (RFC 6901) to the value, below the body, the query or the path. */
  pointer: string;
  message: string;
}

export interface ErrorExtras {
  fields?: FieldError[];
  retryAfterSeconds?: number;
  /** Response headers that belong to the error, such as `Allow`. */
  headers?: Record<string, string>;
  /** Internal cause: it is logged and never sent. */
  cause?: unknown;
}

/** An error that is meant for the client: the detail is public text. */
export class ApiError extends Error {
  readonly kind: ErrorKind;
  readonly code: string;
  readonly extras: ErrorExtras;

  /** @param kind a shared error by its code, or one of a resource as its owner declares it */
  constructor(kind: HttpErrorCode | ErrorKind, detail: string, extras: ErrorExtras = {}) {
    super(detail, { cause: extras.cause });
    this.name = 'ApiError';
    this.kind = typeof kind === 'string' ? HTTP_ERRORS[kind] : kind;
    this.code = this.kind.code;
    this.extras = extras;
  }
}

/** RFC 9457 problem details. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: string;
  requestId: string;
  errors?: FieldError[];
}

export function toProblem(error: ApiError, requestId: string): Problem {
  const { code, status, title } = error.kind;
  return {
    type: `urn:tocsin:error:${code}`,
    title,
    status,
    detail: error.message,
    code,
    requestId,
    ...(error.extras.fields && { errors: error.extras.fields }),
  };
}
