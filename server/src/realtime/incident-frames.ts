import type { Pool } from '../database/database.ts';
import { findLastFrameId, listFramesAfter } from '../incidents/frame-queries.ts';
import type { Clients } from './clients.ts';

const MAX_FRAMES = 500;

/**
 * Forwards the frames of incidents to the organization's clients: each exactly once to each connection, in the order of
 * commits. A notification only wakes it before its next poll.
 */
export class IncidentFrames {
  readonly #pool: Pool;
  readonly #clients: Clients;
  #lastId = 0;

  constructor(pool: Pool, clients: Clients) {
    this.#pool = pool;
    this.#clients = clients;
  }

  /** Skips earlier frames: their incidents are in the lists that a client reads after connecting. */
  async skipToEnd(): Promise<void> {
    this.#lastId = await findLastFrameId(this.#pool);
  }

  /** @returns whether there may be more already */
  async forwardNew(): Promise<boolean> {
    const frames = await listFramesAfter(this.#pool, this.#lastId, MAX_FRAMES);
    for (const { id, organizationId, event, data, live } of frames) {
      if (live) this.#clients.send(organizationId, event, JSON.stringify({ event, data }));
      this.#lastId = id;
    }
    return frames.length === MAX_FRAMES;
  }
}
