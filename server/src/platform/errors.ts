/**
 * Every error that a client can see: its stable code, its status and its public title, in one place. What
 * is not in this table leaves the service as `internal`, with nothing of its inside.
 */
export const ERRORS = {
  malformed_json: { status: 400, title: 'The body is not valid JSON' },
  validation_failed: { status: 400, title: 'The request does not fit the schema' },
  bad_request: { status: 400, title: 'The request is malformed' },
  unauthenticated: { status: 401, title: 'No valid session' },
  invalid_credentials: { status: 401, title: 'E-mail or password is wrong' },
  invalid_api_key: { status: 401, title: 'The API key is missing, unknown or revoked' },
  cross_origin: { status: 403, title: 'The request comes from another site' },
  forbidden: { status: 403, title: 'Your role does not allow this' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'The method is not allowed here' },
  request_timeout: { status: 408, title: 'The request took too long' },
  email_taken: { status: 409, title: 'The email address is already registered' },
  already_member: { status: 409, title: 'The user is already a member' },
  last_owner: { status: 409, title: 'An organization needs an owner' },
  limit_reached: { status: 409, title: 'A limit is reached' },
  invalid_transition: { status: 409, title: 'Incidents only move forward' },
  precondition_failed: { status: 412, title: 'The file is not the one that the request names' },
  body_too_large: { status: 413, title: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'The body is not of a supported type' },
  unsupported_encoding: { status: 415, title: 'The content encoding is not supported' },
  range_not_satisfiable: { status: 416, title: 'The file has no such range' },
  too_many_logins: { status: 429, title: 'Too many failed logins' },
  too_many_signups: { status: 429, title: 'Too many sign-ups from this address' },
  too_many_connections: { status: 429, title: 'Too many WebSockets are open' },
  project_over_share: { status: 429, title: 'The project holds its share of the waiting places' },
  headers_too_large: { status: 431, title: 'The headers are too large' },
  internal: { status: 500, title: 'Something went wrong on our side' },
  not_implemented: { status: 501, title: 'The transfer coding is not supported' },
  unavailable: { status: 503, title: 'The service cannot take the request now' },
  http_version_not_supported: { status: 505, title: 'The version of HTTP is not supported' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ErrorCode = keyof typeof ERRORS;

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
  /** What went wrong inside: it is logged and never sent. */
  cause?: unknown;
}

/** An error that is meant for the client: the detail is public text. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly extras: ErrorExtras;

  constructor(code: ErrorCode, detail: string, extras: ErrorExtras = {}) {
    super(detail, { cause: extras.cause });
    this.name = 'ApiError';
    this.code = code;
    this.extras = extras;
  }
}

/** RFC 9457 problem details. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: ErrorCode;
  requestId: string;
  errors?: FieldError[];
}

export function toProblem(error: ApiError, requestId: string): Problem {
  const { status, title } = ERRORS[error.code];
  return {
    type: `urn:tocsin:error:${error.code}`,
    title,
    status,
    detail: error.message,
    code: error.code,
    requestId,
    ...(error.extras.fields && { errors: error.extras.fields }),
  };
}
