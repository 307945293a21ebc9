import type { Config } from '../config.ts';
import type { Connection, Pool, Queryable } from '../database/database.ts';
import type { DatabaseState } from '../database/state.ts';
import type { ListeningSockets } from '../http/sockets/listening-sockets.ts';
import type { Clock } from '../platform/clock.ts';
import type { Encryption } from '../platform/encryption/encryption.ts';
import type { Log } from '../platform/log.ts';
import type { Loop, LoopDeclaration } from '../platform/loop.ts';
import type { Stoppable } from '../platform/shutdown.ts';
import type { PasswordCost } from '../tenancy/accounts/passwords.ts';
import type { Metrics } from './metrics.ts';
import type { RoleName } from './role-names.ts';

export interface PoolLimits {
  statementTimeoutMs?: number;
  /** Maximum connections; default: `DATABASE_POOL_SIZE`. */
  maxConnections?: number;
}

/** The dependencies of every role. */
export interface RoleContext {
  config: Config;
  connection: Connection;
  /** Pool for work outside of roles, such as migrations. */
  pool: Pool;
  databaseState: DatabaseState;
  /** Encryption of stored secrets. */
  encryption: Encryption;
  passwordCost: PasswordCost;
  /** Factor on how long an answer waits for the parts that it can do without. */
  waitFactor: number;
  createPool: (applicationName: string, options?: PoolLimits) => Pool;
  createLoop: (declaration: LoopDeclaration) => Loop;
  clock: Clock;
  /** Monotonic time in milliseconds. */
  monotonicMs: () => number;
  /** The clock of the database, in milliseconds. */
  databaseTime: (database: Queryable) => Promise<number>;
  /** Name servers for names that users choose, each with a port or without; empty: those of the system. */
  nameServers: readonly string[];
  log: Log;
  metrics: Metrics;
  /** Sockets that the process listens on. */
  sockets: ListeningSockets;
  /** Identifies this process among all that share the database. UUID. */
  processId: string;
}

/** A running part of the service. */
export interface Role extends Stoppable {
  name: RoleName;
  /** Port it listens on; null: none. */
  port: number | null;
}
