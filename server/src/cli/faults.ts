import { EmbeddedPostgresError } from '@tocsin/embedded-postgres';
import { ConfigError } from '../config.ts';
import { DatabaseUnreachableError, isUnavailable, sqlState } from '../database/database.ts';
import { MigrationError } from '../database/migrations.ts';
import { PoolerError } from '../database/pooler.ts';
import { ListenError } from '../http/listen.ts';
import { CommandError } from '../platform/command-error.ts';

const FAULTS = [
  CommandError,
  ConfigError,
  DatabaseUnreachableError,
  EmbeddedPostgresError,
  ListenError,
  MigrationError,
  PoolerError,
];

/** SQLSTATE: the user may not do this, cannot log in, there is no such database, a lock was not free in time. */
const REFUSALS = ['42501', '28000', '28P01', '3D000', '55P03'];

/** What to tell a person about an error; null where it is a fault of the program, whose stack is wanted. */
export function describeFault(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if (FAULTS.some((fault) => error instanceof fault)) return error.message;
  const state = sqlState(error);
  if (REFUSALS.includes(state) || (state && isUnavailable(error))) {
    return `The database refuses: ${error.message} (SQLSTATE ${state}).`;
  }
  return isUnavailable(error) ? `The connection to the database broke: ${error.message}.` : null;
}
