import type { WebSocket } from 'ws';
import { CHANNELS } from '../database/channels.ts';
import type { Connection, Pool } from '../database/database.ts';
import { NotificationListener } from '../database/notifications.ts';
import type { UnsentBytes } from '../http/unsent-bytes.ts';
import type { ReadCurrent } from '../incidents/current-values.ts';
import { type Clock, confirmedTime } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { Loop, type LoopOptions } from '../platform/loop.ts';
import type { LoopMetrics } from '../platform/loop-metrics.ts';
import type { Session } from '../tenancy/session.ts';
import { findSessionOrganizations } from '../tenancy/session-queries.ts';
import { CLOSE, type Client, Clients, TOPICS, type Topic } from './clients.ts';
import { IncidentFrames } from './incident-frames.ts';
import { LiveTail } from './live-tail.ts';
import { LiveUpdates } from './live-updates.ts';
import { readMessages } from './message-rate.ts';
import type { RealtimeMetrics } from './metrics.ts';

const POLL_INTERVAL_MS = 2_000;
/** The same interval while no client is connected: the next one must not receive older frames, which are skipped. */
const UNSEEN_POLL_INTERVAL_MS = 15_000;
const TAIL_INTERVAL_MS = 1_000;
/** Interval while no client watches events: a viewer who begins to wakes the loop. */
const UNSEEN_TAIL_INTERVAL_MS = 60_000;
/** Changes of a group within this time are one frame. */
const UPDATES_INTERVAL_MS = 500;
const PING_INTERVAL_MS = 30_000;
/** Minimum time between two checks of sessions without a notification. */
const MIN_CHECK_INTERVAL_MS = 250;
const CLOSE_TIMEOUT_MS = 1_000;

export interface HubDependencies {
  pool: Pool;
  connection: Connection;
  clock: Clock;
  log: Log;
  metrics: RealtimeMetrics & { loops: LoopMetrics };
  readCurrent: ReadCurrent;
  /** Bytes that wait to be sent, answers included. */
  unsentBytes: UnsentBytes;
  /** UUID of this process. */
  processId: string;
}

/**
 * All live updates on the management port: connections, frames of incidents, the tail of events, changes of groups
 * and releases.
 */
export class Hub {
  readonly #dependencies: HubDependencies;
  readonly #clients: Clients;
  readonly #frames: IncidentFrames;
  readonly #updates: LiveUpdates;
  readonly #loops: { frames: Loop; sessions: Loop; tail: Loop; updates: Loop };
  readonly #listener: NotificationListener;

  constructor(dependencies: HubDependencies) {
    const { pool, connection, clock, log, metrics, readCurrent, processId, unsentBytes } = dependencies;
    this.#dependencies = dependencies;
    this.#clients = new Clients(metrics, unsentBytes);
    this.#frames = new IncidentFrames(pool, this.#clients, readCurrent);
    this.#updates = new LiveUpdates(pool, clock, this.#clients);
    const tail = new LiveTail(pool, clock, this.#clients, processId);
    const pollIntervalMs = () => (this.#clients.size === 0 ? UNSEEN_POLL_INTERVAL_MS : POLL_INTERVAL_MS);
    const loop = (options: Omit<LoopOptions, 'log' | 'metrics'>) => new Loop({ ...options, log, metrics });
    this.#loops = {
      frames: loop({
        name: 'incident frames',
        round: async () => ((await this.#frames.forwardNew()) ? 'again' : 'idle'),
        idleDelayMs: pollIntervalMs,
      }),
      sessions: loop({
        name: 'websocket sessions',
        round: async () => {
          await this.#closeEndedSessions();
          return 'idle';
        },
        idleDelayMs: () => delayUntilEnd(clock, this.#nextEndMs),
      }),
      tail: loop({
        name: 'live tail',
        round: async () => {
          await tail.flush();
          return 'idle';
        },
        idleDelayMs: () => (tail.isWatched ? TAIL_INTERVAL_MS : UNSEEN_TAIL_INTERVAL_MS),
        minIntervalMs: TAIL_INTERVAL_MS,
      }),
      updates: loop({
        name: 'live updates',
        round: async () => ((await this.#updates.forwardNew()) ? 'again' : 'idle'),
        idleDelayMs: pollIntervalMs,
        minIntervalMs: UPDATES_INTERVAL_MS,
      }),
    };
    const handlers = {
      [CHANNELS.incidents]: () => this.#loops.frames.wake(),
      [CHANNELS.updates]: () => this.#loops.updates.wake(),
      [CHANNELS.sessions]: () => this.#loops.sessions.wake(),
    };
    this.#listener = new NotificationListener(connection, handlers, log);
  }

  #pings: NodeJS.Timeout | null = null;
  /** When the first session or token of a client expires. */
  #nextEndMs = Number.POSITIVE_INFINITY;

  async start(): Promise<void> {
    await this.#frames.skipToEnd();
    await this.#updates.skipToEnd();
    await this.#listener.open();
    for (const loop of Object.values(this.#loops)) loop.start();
    this.#pings = setInterval(() => this.#clients.ping(), PING_INTERVAL_MS);
  }

  /** @throws ApiError as `Clients.assertPlace` */
  assertPlace(session: Session): void {
    this.#clients.assertPlace(session);
  }

  /** Accepts a connection whose handshake was authenticated and for which there is a place. */
  connect(socket: WebSocket, session: Session): void {
    const { id: sessionId, organizationId } = session;
    const client = { socket, sessionId, organizationId, topics: new Set<Topic>(), alive: true };
    const isFirst = this.#clients.size === 0;
    this.#clients.add(client);
    if (isFirst) for (const loop of [this.#loops.frames, this.#loops.updates]) loop.wake();
    readMessages(socket, this.#dependencies.clock, (text) => {
      const wish = readSubscription(text);
      if (wish) this.#subscribe(client, wish);
    });
    // The session may have ended between the handshake and now.
    this.#loops.sessions.wake();
  }

  #subscribe(client: Client, { topic, isWanted }: { topic: Topic; isWanted: boolean }): void {
    if (isWanted) client.topics.add(topic);
    else client.topics.delete(topic);
    if (topic === 'events') this.#loops.tail.wake();
    else if (isWanted) {
      this.#updates.addViewer(client.organizationId);
      this.#loops.updates.wake();
    }
  }

  async stop(): Promise<void> {
    if (this.#pings) clearInterval(this.#pings);
    await this.#listener.close();
    await Promise.all(Object.values(this.#loops).map((loop) => loop.stop()));
    this.#clients.closeAll();
    const deadline = performance.now() + CLOSE_TIMEOUT_MS;
    while (this.#clients.size > 0 && performance.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    this.#clients.terminateAll();
  }

  /** Ends the connections of sessions that are over, or whose user belongs to another organization now. */
  async #closeEndedSessions(): Promise<void> {
    const clients = this.#clients.all();
    this.#nextEndMs = Number.POSITIVE_INFINITY;
    if (clients.length === 0) return;
    const sessionIds = [...new Set(clients.map((client) => client.sessionId))];
    const now = new Date(confirmedTime(this.#dependencies.clock));
    const sessions = await findSessionOrganizations(this.#dependencies.pool, sessionIds, now);
    for (const { expiresAt } of sessions.values())
      if (expiresAt) this.#nextEndMs = Math.min(this.#nextEndMs, expiresAt.getTime());
    for (const { socket, sessionId, organizationId } of clients) {
      if (sessions.get(sessionId)?.organizationId !== organizationId)
        socket.close(CLOSE.policy, 'the session has ended');
    }
  }
}

/**
 * Returns how long the ends of sessions need no check: the end by age is no event that a process is notified of. By
 * the time by which they end; by that of a clock that leaped, each check would find the next one due.
 */
export function delayUntilEnd(clock: Clock, endMs: number): number {
  return Math.min(Math.max(endMs - confirmedTime(clock), MIN_CHECK_INTERVAL_MS), PING_INTERVAL_MS);
}

/**
 * Parses `{"subscribe":"events"}`, `{"unsubscribe":"events"}` and the same of the other topics; anything else is
 * ignored.
 */
function readSubscription(text: string): { topic: Topic; isWanted: boolean } | null {
  try {
    const message = JSON.parse(text) as { subscribe?: unknown; unsubscribe?: unknown } | null;
    for (const topic of TOPICS) {
      if (message?.subscribe === topic) return { topic, isWanted: true };
      if (message?.unsubscribe === topic) return { topic, isWanted: false };
    }
    return null;
  } catch {
    return null;
  }
}
