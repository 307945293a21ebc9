import type { Pool } from '../database/database.ts';
import { toEvent } from '../events/event-row.ts';
import { listGroupsOfEvents } from '../events/group-queries.ts';
import type { Clock } from '../platform/clock.ts';
import type { Client, Clients } from './clients.ts';
import {
  deleteTailBefore,
  listRecentTail,
  notifyWatchersChanged,
  type TailRow,
  upsertWatchers,
} from './queries.ts';

/** Lifetime of a registration that is not renewed, and interval of its renewal. */
const WATCH_MS = 10_000;
const RENEW_MS = 2_000;
/** How far back samples are read: longer than a worker's statement takes to commit. */
const LOOK_BACK_MS = 15_000;
const KEEP_MS = 60_000;
const MAX_EVENTS_A_SECOND = 50;

/**
 * The live tail: registers the organizations with viewers for the workers, and forwards their samples. Beyond 50
 * events a second the newest are sent and the rest is counted (`omitted`).
 */
export class LiveTail {
  readonly #pool: Pool;
  readonly #clock: Clock;
  readonly #clients: Clients;
  readonly #watcherId: string;
  /** Rows that were sent, with the time of sending: rows of two workers may appear out of order. */
  readonly #sent = new Map<number, number>();
  #renewedMs = 0;
  #renewedFor = '';

  /** @param watcherId UUID of this process */
  constructor(pool: Pool, clock: Clock, clients: Clients, watcherId: string) {
    this.#pool = pool;
    this.#clock = clock;
    this.#clients = clients;
    this.#watcherId = watcherId;
  }

  /** True if a client of this process asked for it. */
  get isWatched(): boolean {
    return this.#clients.all().some(watchesEvents);
  }

  /** Forwards the new samples; called once a second while it is watched. */
  async flush(): Promise<void> {
    const watching = this.#clients.all().filter(watchesEvents);
    const organizationIds = [...new Set(watching.map((client) => client.organizationId))].toSorted();
    if (organizationIds.length === 0) {
      this.#renewedFor = '';
      return;
    }
    const now = this.#clock.now();
    await this.#renew(organizationIds, now);

    const rows = await listRecentTail(this.#pool, organizationIds, new Date(now - LOOK_BACK_MS));
    const fresh = rows.filter((row) => !this.#sent.has(row.id));
    for (const row of fresh) this.#sent.set(row.id, now);
    for (const organizationId of organizationIds) {
      await this.#sendSample(
        organizationId,
        fresh.filter((row) => row.organizationId === organizationId),
      );
    }
    for (const [id, sentMs] of this.#sent) if (sentMs < now - 2 * LOOK_BACK_MS) this.#sent.delete(id);
  }

  async #renew(organizationIds: string[], now: number): Promise<void> {
    const key = organizationIds.join();
    if (key === this.#renewedFor && now - this.#renewedMs < RENEW_MS) return;
    await upsertWatchers(this.#pool, this.#watcherId, organizationIds, new Date(now + WATCH_MS));
    if (key !== this.#renewedFor) await notifyWatchersChanged(this.#pool);
    await deleteTailBefore(this.#pool, new Date(now - KEEP_MS));
    [this.#renewedFor, this.#renewedMs] = [key, now];
  }

  async #sendSample(organizationId: string, rows: TailRow[]): Promise<void> {
    const events = rows.flatMap((row) =>
      row.events.filter(({ projectId }) => row.liveProjects.includes(projectId)),
    );
    const shown = events.slice(-MAX_EVENTS_A_SECOND);
    const omitted = rows.reduce((sum, row) => sum + row.omitted, 0) + events.length - shown.length;
    const groups = await listGroupsOfEvents(this.#pool, organizationId, shown);
    for (const [index, event] of shown.entries()) {
      const data = toEvent({
        ...event,
        organizationId,
        receivedAt: new Date(event.receivedAt),
        groupId: groups.get(`${event.projectId} ${event.fingerprint}`) ?? null,
      });
      const last = index === shown.length - 1;
      const frame = JSON.stringify({ event: 'event_captured', data, omitted: last ? omitted : 0 });
      this.#clients.send(organizationId, 'event_captured', frame, watchesEvents);
    }
  }
}

function watchesEvents({ topics }: Client): boolean {
  return topics.has('events');
}
