import { EmbeddedPostgresError } from '@tocsin/embedded-postgres';
import { ConfigError } from '../config.ts';
import { DatabaseUnreachableError } from '../database/database.ts';
import { PoolerError } from '../database/pooler.ts';
import { RefusedServerError } from '../database/position-watch.ts';
import { isUnavailable, sqlState } from '../database/sql-state.ts';
import { ArchiveError } from '../events/archive/archive-error.ts';
import { ListenError } from '../http/listen.ts';
import { CommandError } from '../platform/command-error.ts';

/** Errors whose message says what is wrong and what to do about it. */
const USER_ERRORS = [
  ArchiveError,
  CommandError,
  ConfigError,
  DatabaseUnreachableError,
  RefusedServerError,
  EmbeddedPostgresError,
  ListenError,
  PoolerError,
];

/** SQLSTATE: missing privilege, failed login (twice), unknown database, a lock that was not free in time. */
const REFUSALS = ['42501', '28000', '28P01', '3D000', '55P03'];

/** Returns the sentence for an error that the user can act on; null for a bug, which is reported by its stack. */
export function formatUserError(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if (USER_ERRORS.some((kind) => error instanceof kind)) return error.message;
  const state = sqlState(error);
  if (REFUSALS.includes(state) || (state && isUnavailable(error))) {
    return `The database refuses: ${error.message} (SQLSTATE ${state}).`;
  }
  return isUnavailable(error) ? `The connection to the database broke: ${error.message}.` : null;
}
