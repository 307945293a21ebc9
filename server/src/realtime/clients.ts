import type { WebSocket } from 'ws';
import type { UnsentBytes } from '../http/unsent-bytes.ts';
import { ApiError } from '../platform/errors.ts';
import { unavailable } from '../platform/unavailable.ts';
import type { Session } from '../tenancy/session.ts';
import { REALTIME_ERRORS } from './errors.ts';
import type { RealtimeMetrics } from './metrics.ts';

export const TOPICS = ['events', 'groups', 'releases'] as const;
export type Topic = (typeof TOPICS)[number];

export interface Client {
  socket: WebSocket;
  sessionId: string;
  organizationId: string;
  /** Topics that the client asked for beside incidents. */
  topics: Set<Topic>;
  /** True if it has answered since the last ping. */
  alive: boolean;
}

/** WebSocket close codes (RFC 6455, and 1013 of the IANA registry: try again later). */
export const CLOSE = { goingAway: 1001, policy: 1008, tooSlow: 1013 } as const;

/** Maximum unread bytes of a reader before it is closed; it then reads the lists again and loses nothing. */
const MAX_BUFFERED_BYTES = 1024 * 1024;
const MAX_CLIENTS = 10_000;
const MAX_CLIENTS_OF_SESSION = 20;
const MAX_CLIENTS_OF_ORGANIZATION = 200;
const RETRY_AFTER_SECONDS = 30;

/** Open connections of this process. */
export class Clients {
  readonly #clients = new Set<Client>();
  readonly #metrics: RealtimeMetrics;
  readonly #unsent: UnsentBytes;

  constructor(metrics: RealtimeMetrics, unsent: UnsentBytes) {
    this.#metrics = metrics;
    this.#unsent = unsent;
  }

  get size(): number {
    return this.#clients.size;
  }

  /**
   * Checks the limits before a handshake is accepted, in the same turn of the event loop.
   * @throws ApiError `too_many_connections` if the session or the organization has used all of its places in this
   * process, `unavailable` if all places are taken
   */
  assertPlace({ id: sessionId, organizationId }: Pick<Session, 'id' | 'organizationId'>): void {
    const retry = { retryAfterSeconds: RETRY_AFTER_SECONDS };
    if (this.#clients.size >= MAX_CLIENTS) throw unavailable('Too many WebSockets are open.', retry);
    let [ofSession, ofOrganization] = [0, 0];
    for (const client of this.#clients) {
      if (client.organizationId === organizationId) ofOrganization++;
      if (client.sessionId === sessionId) ofSession++;
    }
    if (ofSession >= MAX_CLIENTS_OF_SESSION)
      throw new ApiError(
        REALTIME_ERRORS.too_many_connections,
        `The session has ${ofSession} WebSockets open.`,
        retry,
      );
    if (ofOrganization >= MAX_CLIENTS_OF_ORGANIZATION)
      throw new ApiError(
        REALTIME_ERRORS.too_many_connections,
        `The organization has ${ofOrganization} WebSockets open.`,
        retry,
      );
  }

  hasAny(organizationId: string): boolean {
    for (const client of this.#clients) if (client.organizationId === organizationId) return true;
    return false;
  }

  all(): Client[] {
    return [...this.#clients];
  }

  add(client: Client): void {
    this.#clients.add(client);
    this.#metrics.webSocketClients.set(this.#clients.size);
    client.socket.on('pong', () => (client.alive = true));
    client.socket.on('close', () => {
      this.#clients.delete(client);
      this.#metrics.webSocketClients.set(this.#clients.size);
    });
    // The close event follows; nothing else can be done about a broken connection.
    client.socket.on('error', () => client.socket.terminate());
  }

  /**
   * Sends a frame to those clients of an organization that `wanted` selects. A client that is too slow is closed: at
   * its own maximum, or with any unread bytes while its organization or the process holds the maximum.
   */
  send(
    organizationId: string,
    event: string,
    frame: string,
    wanted: (client: Client) => boolean = () => true,
  ): void {
    const bytes = Buffer.byteLength(frame);
    for (const client of this.#clients) {
      if (client.organizationId !== organizationId || !wanted(client)) continue;
      if (client.socket.readyState !== client.socket.OPEN) continue;
      const maxBufferedBytes = this.#unsent.isFull(organizationId) ? 0 : MAX_BUFFERED_BYTES;
      if (client.socket.bufferedAmount > maxBufferedBytes) {
        client.socket.close(CLOSE.tooSlow, 'too slow: read the lists again');
        continue;
      }
      client.socket.send(frame, this.#unsent.add(organizationId, bytes));
      this.#metrics.webSocketFrames.inc({ event });
    }
  }

  /** Ends connections whose client has not answered the last ping, and pings the others. */
  ping(): void {
    for (const client of this.#clients) {
      if (!client.alive) {
        client.socket.terminate();
        continue;
      }
      client.alive = false;
      client.socket.ping();
    }
  }

  closeAll(): void {
    for (const { socket } of this.#clients) socket.close(CLOSE.goingAway, 'the service is stopping');
  }

  terminateAll(): void {
    for (const { socket } of this.#clients) socket.terminate();
  }
}
