import pg from 'pg';

/**
 * A query or a connection that failed on the way to the database: the query itself was not at fault. It is unknown if
 * the statement took place.
 */
export class ConnectionError extends Error {
  override name = 'ConnectionError';
  /** Code of the system call that failed, if one did. */
  readonly code: string | undefined;
  /** True if no answer came in time: the server may be gone silently. */
  readonly isTimeout: boolean;

  constructor(cause: Error) {
    super(reasonOf(cause), { cause });
    const first: unknown = cause instanceof AggregateError ? cause.errors[0] : cause;
    const code = first instanceof Error && 'code' in first ? first.code : undefined;
    this.code = typeof code === 'string' ? code : undefined;
    this.isTimeout = TIMEOUTS.has(cause.message);
  }
}

/**
 * Messages of the driver, which has neither classes nor codes for these errors. Tests provoke them, so that a change
 * is noticed.
 */
const TIMEOUTS = new Set([
  'Query read timeout',
  'timeout expired',
  'timeout exceeded when trying to connect',
  'Connection terminated due to connection timeout',
]);
const LOSSES = new Set([
  'Connection terminated',
  'Connection terminated unexpectedly',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
]);

/** Classifies an error of connecting: any error that PostgreSQL did not report itself concerns the way to it. */
export function fromConnecting(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof pg.DatabaseError || error instanceof ConnectionError)
    return error;
  return new ConnectionError(error);
}

/**
 * Classifies an error of a query: of a socket, or one of the few above. All others are faults of the caller or the
 * server.
 */
export function fromQuerying(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof pg.DatabaseError || error instanceof ConnectionError)
    return error;
  const isOfWay = 'syscall' in error || TIMEOUTS.has(error.message) || LOSSES.has(error.message);
  return isOfWay ? new ConnectionError(error) : error;
}

/**
 * Returns the reason: for a name with several addresses, the error that joins their errors has no message of its own.
 */
export function reasonOf(error: unknown): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  return (first instanceof Error ? first.message : String(first)).replace(/\.$/, '');
}
