import pg from 'pg';

/**
 * A query or a connection that failed on the way to the database: nothing was wrong with what was asked. Whether a
 * statement took place is not known.
 */
export class ConnectionError extends Error {
  override name = 'ConnectionError';
  /** The code of the system call that failed, where one did. */
  readonly code: string | undefined;
  /** No answer came in time: the server may be gone without a word. */
  readonly isTimeout: boolean;

  constructor(cause: Error) {
    super(reasonOf(cause), { cause });
    const first: unknown = cause instanceof AggregateError ? cause.errors[0] : cause;
    const code = first instanceof Error && 'code' in first ? first.code : undefined;
    this.code = typeof code === 'string' ? code : undefined;
    this.isTimeout = TIMEOUTS.has(cause.message);
  }
}

/** The driver has neither classes nor codes for these errors. Tests provoke them, so that a change of it is seen. */
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

/** An error of connecting: whatever PostgreSQL did not say itself is about the way to it. */
export function fromConnecting(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof pg.DatabaseError || error instanceof ConnectionError)
    return error;
  return new ConnectionError(error);
}

/** An error of a query: of a socket, or one of the few above. All others are faults of who asks, or answers. */
export function fromQuerying(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof pg.DatabaseError || error instanceof ConnectionError)
    return error;
  const isOfWay = 'syscall' in error || TIMEOUTS.has(error.message) || LOSSES.has(error.message);
  return isOfWay ? new ConnectionError(error) : error;
}

/** Where a name has several addresses, the error that joins their errors has no message of its own. */
export function reasonOf(error: unknown): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  return (first instanceof Error ? first.message : String(first)).replace(/\.$/, '');
}
