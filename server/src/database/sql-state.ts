import { ConnectionError } from './connection-error.ts';

/** SQLSTATE classes and codes that the program distinguishes; it never reads message texts. */
const WARNING = '01000';
const PROTOCOL_VIOLATION = '08P01';
const UNIQUE_VIOLATION = '23505';
const CHECK_VIOLATION = '23514';
const UNDEFINED_TABLE = '42P01';
/** No such table or function, no right to it, not supported. */
const NOT_OFFERED = [UNDEFINED_TABLE, '42883', '42501', '0A000'];
const LOCK_NOT_AVAILABLE = '55P03';
const QUERY_CANCELED = '57014';
const DATA_CLASSES = ['22', '23', '54'];
const UNAVAILABLE_CLASSES = ['08', '53', '57', '58', '25', '40', 'XX'];
/** Exceptions of connections, and the server's own end. */
const LOST_CONNECTION = /^(08|57P)/;

/** True if a server refuses a parameter of the connection. */
export function isProtocolViolation(error: unknown): boolean {
  return sqlState(error) === PROTOCOL_VIOLATION;
}

export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  return sqlState(error) === UNIQUE_VIOLATION && (!constraint || constraintOf(error) === constraint);
}

/** A row that fits no partition: PostgreSQL reports it as the violation of a check that has no name. */
export function isMissingPartition(error: unknown): boolean {
  return sqlState(error) === CHECK_VIOLATION && constraintOf(error) === '';
}

/** True if the schema is older than the program. */
export function isUndefinedTable(error: unknown): boolean {
  return sqlState(error) === UNDEFINED_TABLE;
}

/** True if the server does not have, support or permit what the statement asks for: it would fail again. */
export function isNotOffered(error: unknown): boolean {
  return NOT_OFFERED.includes(sqlState(error));
}

/** True if a `lock_timeout` expired, or `NOWAIT` met a locked row. */
export function isLocked(error: unknown): boolean {
  return sqlState(error) === LOCK_NOT_AVAILABLE;
}

/** True if the statement exceeded its time limit, or was cancelled. */
export function isCanceled(error: unknown): boolean {
  return sqlState(error) === QUERY_CANCELED;
}

/** True if the values themselves are at fault: sending them again will fail again. */
export function isDataError(error: unknown): boolean {
  return DATA_CLASSES.includes(sqlState(error).slice(0, 2));
}

/** True if the database could not do the work now: a connection, a resource, a timeout, a shutdown, a conflict. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof ConnectionError) return true;
  return UNAVAILABLE_CLASSES.includes(sqlState(error).slice(0, 2));
}

/** True if the connection was lost, whatever ran on it. */
export function isConnectionLost(error: unknown): boolean {
  return error instanceof ConnectionError || LOST_CONNECTION.test(sqlState(error));
}

interface WarningFields {
  code?: string | undefined;
  routine?: string | undefined;
}

/**
 * True for the warning that a commit did not wait for its standby to the end. Its SQLSTATE says only that it is a warning,
 * and its text is translated; the name of PostgreSQL's function is neither.
 */
export function isWaitCanceled({ code, routine }: WarningFields): boolean {
  return code === WARNING && routine === 'SyncRepWaitForLSN';
}

/** The SQLSTATE of an error that PostgreSQL reported, else an empty text. */
export function sqlState(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^[0-9A-Z]{5}$/.test(code) && 'severity' in (error as object) ? code : '';
}

function constraintOf(error: unknown): string {
  const constraint = error instanceof Error && 'constraint' in error ? error.constraint : undefined;
  return typeof constraint === 'string' ? constraint : '';
}
