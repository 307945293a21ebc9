import type { Pool } from '../database/database.ts';
import type { Current, ReadCurrent } from '../incidents/current-values.ts';
import { type FrameRow, findLastFrameId, listFramesAfter } from '../incidents/frame-queries.ts';
import { toUuid } from '../platform/ids.ts';
import type { Clients } from './clients.ts';

const MAX_FRAMES = 500;
/** Maximum incidents whose current values one batch of frames waits for: the others have none. */
const MAX_FOLLOWED = 20;

/**
 * Forwards the frames of incidents to the organization's clients: each exactly once to each connection, in the order
 * of commits. A notification only wakes it before its next poll.
 */
export class IncidentFrames {
  readonly #pool: Pool;
  readonly #clients: Clients;
  readonly #readCurrent: ReadCurrent;
  #lastId = 0;

  constructor(pool: Pool, clients: Clients, readCurrent: ReadCurrent) {
    this.#pool = pool;
    this.#clients = clients;
    this.#readCurrent = readCurrent;
  }

  /** Skips earlier frames: their incidents are in the lists that a client reads after connecting. */
  async skipToEnd(): Promise<void> {
    this.#lastId = await findLastFrameId(this.#pool);
  }

  /** @returns true if there may be more already */
  async forwardNew(): Promise<boolean> {
    const frames = await listFramesAfter(this.#pool, this.#lastId, MAX_FRAMES);
    const current = await this.#readCurrentOf(frames);
    for (const { id, organizationId, event, data, live } of frames) {
      const shown = { ...data, current: current.get(id) ?? null };
      if (live) this.#clients.send(organizationId, event, JSON.stringify({ event, data: shown }));
      this.#lastId = id;
    }
    return frames.length === MAX_FRAMES;
  }

  /** Current values of the incidents, by the id of the newest frame of each. */
  async #readCurrentOf(frames: FrameRow[]): Promise<Map<number, Current | null>> {
    const watched = frames.filter(({ live, organizationId }) => live && this.#clients.hasAny(organizationId));
    const newest = new Map(watched.map((frame) => [frame.data.id, frame]));
    const read = [...newest.values()].slice(-MAX_FOLLOWED).map(async ({ id, organizationId, data }) => {
      const [incidentId, projectId] = [toUuid('inc', data.id), toUuid('proj', data.projectId)];
      if (!incidentId || !projectId) return [id, null] as const;
      const { evidence, lead, since, status } = data;
      const isResolved = status === 'resolved';
      const followed = {
        id: incidentId,
        organizationId,
        projectId,
        evidence,
        lead,
        since: new Date(since),
        isResolved,
      };
      return [id, await this.#readCurrent(followed)] as const;
    });
    return new Map(await Promise.all(read));
  }
}
