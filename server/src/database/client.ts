import pg from 'pg';
import { ConnectionError, fromConnecting, fromQuerying } from './connection-error.ts';
import type { PositionWatch } from './position-watch.ts';
import { isWaitCanceled } from './sql-state.ts';

type Callback = (error: unknown, ...rest: unknown[]) => void;
/** The driver's overloads, which need no distinction here. */
type Query = (...parameters: unknown[]) => unknown;

/** A connection that distinguishes failures of the connection to the database from all other errors. */
class DatabaseClient extends pg.Client {
  /** Called when a query got no answer in time. */
  onSilence: () => void = () => {};
  /** True once the query in progress has committed without its standby. */
  #isUnreplicated = false;

  constructor(config?: pg.ClientConfig) {
    super(config);
    this.on('notice', (notice) => (this.#isUnreplicated ||= isWaitCanceled(notice)));
  }

  override query: typeof pg.Client.prototype.query = ((...parameters: unknown[]) => {
    const query = super.query.bind(this) as Query;
    const callback = parameters.at(-1);
    if (typeof callback === 'function') {
      const settle: Callback = (error, ...rest) => {
        const failure = error ? this.#tell(error) : this.#takeUnreplicated();
        if (failure) (callback as Callback)(failure);
        else (callback as Callback)(error, ...rest);
      };
      parameters[parameters.length - 1] = settle;
      return query(...parameters);
    }
    const result = query(...parameters);
    if (!(result instanceof Promise)) return result;
    return result.then(
      (answer: unknown) => {
        const failure = this.#takeUnreplicated();
        if (failure) throw failure;
        return answer;
      },
      (error: unknown) => {
        throw this.#tell(error);
      },
    );
    // The implementation accepts what each overload accepts and returns what it returns.
  }) as typeof pg.Client.prototype.query;

  /** A cancelled wait for the standby ends with success and a warning: the commit is on one machine alone. */
  #takeUnreplicated(): ConnectionError | null {
    if (!this.#isUnreplicated) return null;
    this.#isUnreplicated = false;
    return new ConnectionError(new Error('the wait for the standby was canceled'));
  }

  #tell(error: unknown): unknown {
    this.#isUnreplicated = false;
    const told = fromQuerying(error);
    if (told instanceof ConnectionError && told.isTimeout) this.onSilence();
    return told;
  }
}

/** The pool's record of an idle connection; the driver offers no other access. */
interface Internals {
  _idle: { client: pg.PoolClient }[];
  _remove: (client: pg.PoolClient) => void;
}

/**
 * A pool whose errors are distinguished as above. Once a query gets no answer in time, the idle connections are
 * closed: after a silent failover they are as dead, and each would cost the next query its time limit.
 */
export class DatabasePool extends pg.Pool {
  /** Watch that commits tell their positions to; null: none. */
  readonly positions: PositionWatch | null;

  constructor(config: pg.PoolConfig, positions: PositionWatch | null = null) {
    super({ ...config, Client: DatabaseClient });
    this.positions = positions;
    this.on('connect', (client) => {
      if (client instanceof DatabaseClient) client.onSilence = () => this.#dropIdle();
    });
  }

  override connect: typeof pg.Pool.prototype.connect = ((callback?: Callback) => {
    const connect = super.connect.bind(this) as Query;
    if (callback) {
      return connect((error: unknown, ...rest: unknown[]) =>
        callback(error && fromConnecting(error), ...rest),
      );
    }
    return (connect() as Promise<pg.PoolClient>).catch((error: unknown) => {
      throw fromConnecting(error);
    });
    // As above.
  }) as typeof pg.Pool.prototype.connect;

  // If a connection breaks, the driver passes the error to the query without calling the client's own method.
  override query: typeof pg.Pool.prototype.query = ((...parameters: unknown[]) => {
    const result = (super.query.bind(this) as Query)(...parameters);
    if (!(result instanceof Promise)) return result;
    return result.catch((error: unknown) => {
      throw fromQuerying(error);
    });
    // As above.
  }) as typeof pg.Pool.prototype.query;

  #dropIdle(): void {
    const internals = this as unknown as Internals;
    // oxlint-disable-next-line no-underscore-dangle -- see above
    for (const { client } of internals._idle.slice()) internals._remove(client);
  }
}
