export type EmbeddedPostgresErrorCode =
  | 'unsupported_platform'
  | 'cannot_leave_root'
  | 'data_directory_unusable'
  | 'already_running'
  | 'incompatible_data'
  | 'initdb_failed'
  | 'upgrade_failed'
  | 'start_failed';

/** An error of the embedded database that the person who starts the service can act on: the message says how. */
export class EmbeddedPostgresError extends Error {
  override name = 'EmbeddedPostgresError';
  readonly code: EmbeddedPostgresErrorCode;

  constructor(code: EmbeddedPostgresErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, options);
    this.code = code;
  }
}

export const USE_DATABASE_URL = 'set DATABASE_URL to a PostgreSQL 15 or later';

/** The code of a failed system call (`ENOENT`, …), or null for any other error. */
export function systemCode(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}
