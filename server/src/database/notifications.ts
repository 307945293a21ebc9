import pg from 'pg';
import type { Log } from '../platform/log.ts';
import { logBackgroundFailure } from '../platform/outage-log.ts';
import type { Channel } from './channels.ts';
import { type Connection, KEEP_ALIVE_DELAY_MS } from './database.ts';

const RECONNECT_DELAY_MS = 1_000;

/**
 * Listens to a PostgreSQL channel on a connection of its own and reconnects for as long as it is open.
 * A notification is a latency hint: those sent while the connection was down are lost, so each handler also runs on a
 * polling interval of its owner, and once after each reconnect.
 */
export class NotificationListener {
  readonly #connection: Connection;
  readonly #handlers: ReadonlyMap<string, () => void>;
  readonly #log: Log;
  #client: pg.Client | null = null;
  #retry: NodeJS.Timeout | null = null;
  #closed = false;

  /** @param handlers functions by channel */
  constructor(connection: Connection, handlers: Partial<Record<Channel, () => void>>, log: Log) {
    this.#connection = connection;
    this.#handlers = new Map(Object.entries(handlers));
    this.#log = log;
  }

  async open(): Promise<void> {
    const client = new pg.Client({
      ...this.#connection,
      application_name: 'tocsin-listen',
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
    });
    this.#client = client;
    client.on('notification', ({ channel }) => this.#handlers.get(channel)?.());
    client.on('error', (error) => logBackgroundFailure(this.#log, 'listening', error));
    client.on('end', () => this.#reconnect(client));
    try {
      await client.connect();
      for (const channel of this.#handlers.keys()) await client.query(`LISTEN ${channel}`);
      for (const handle of this.#handlers.values()) handle();
    } catch (error) {
      logBackgroundFailure(this.#log, 'listening', error);
      await client.end().catch(() => undefined);
      this.#reconnect(client);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#retry) clearTimeout(this.#retry);
    const client = this.#client;
    this.#client = null;
    await client?.end().catch(() => undefined);
  }

  /** Both a failed connect and the end of a connection lead here; the first of them schedules. */
  #reconnect(client: pg.Client): void {
    if (this.#closed || this.#client !== client) return;
    this.#client = null;
    this.#retry = setTimeout(() => void this.open(), RECONNECT_DELAY_MS);
  }
}
