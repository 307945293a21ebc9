import type { PostgresPackage } from './cluster/package.ts';
import type { PreviousProgramsOptions } from './cluster/previous-programs.ts';
import type { Connection } from './data-directory/connection-file.ts';
import type { LockOptions } from './lock/lock.ts';
import type { Exit } from './process/postmaster.ts';

export interface EmbeddedPostgres {
  /** Connection settings for node-pg: a Unix socket. Its role owns the database, and is no superuser. */
  connection: Connection;
  /** The same for a superuser: for maintenance alone. */
  maintenance: Connection;
  /**
   * Stops the server by a fast shutdown; resolves when it is gone and the data directory free. May be called again.
   */
  stop(): Promise<void>;
  /** Resolves if the current server ends without `stop()` having been called; `stop()` then only cleans up. */
  readonly exited: Promise<Exit>;
  /** Resolves when another process has taken over the data directory: the server is ended, and must not run again. */
  readonly lost: Promise<void>;
  /** Last output of the server. */
  lastLines(): string;
  /**
   * Starts the server again after it has ended by itself, at the same address.
   * @throws EmbeddedPostgresError `start_failed`; or the signal's reason, with nothing left running
   */
  relaunch(signal: AbortSignal): Promise<void>;
}

export interface EmbeddedPostgresOptions extends PreviousProgramsOptions {
  dataDirectory: string;
  /** Called before anything in an existing database is changed; rejects if it must not be used. */
  assertUsable?: (superuser: Connection) => Promise<void>;
  /** Receives PostgreSQL's log, line by line; never a password. */
  log?: (line: string) => void;
  /** Receives messages for the person who starts the service, in sentences. */
  warn?: (message: string) => void;
  /** PostgreSQL settings that override ours. */
  settings?: Record<string, string>;
  /** Aborts a start in progress, which then rejects with the signal's reason and leaves nothing running. */
  signal?: AbortSignal;
  /** Location of the programs; by default the npm package for this machine. */
  source?: PostgresPackage;
  /** Uid under which it runs for root, if neither cluster nor data directory belong to another account. */
  uid?: number;
  /** How other users of the data directory are detected; the defaults suit real use. */
  lock?: Pick<LockOptions, 'place' | 'renewEveryMs' | 'silenceMs'>;
}
