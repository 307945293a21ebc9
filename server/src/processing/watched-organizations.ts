import type { Store } from '../database/database.ts';
import type { LoopDeclaration } from '../platform/loop.ts';
import { listWatchedOrganizations } from './queries.ts';

/** How long events are sampled after the last viewer of an organization has left. */
const INTERVAL_MS = 5_000;
/** The same without viewers. A notification announces a viewer; this covers a lost one. */
const NO_VIEWERS_INTERVAL_MS = 15_000;

/** The organizations whose events are sampled for viewers of the live tail. */
export class WatchedOrganizations {
  readonly loop: LoopDeclaration;
  #ids: string[] = [];

  constructor({ pool, clock }: Store) {
    this.loop = {
      name: 'watchers',
      round: async () => {
        this.#ids = await listWatchedOrganizations(pool, new Date(clock.now()));
        return 'idle';
      },
      idleDelayMs: () => (this.#ids.length > 0 ? INTERVAL_MS : NO_VIEWERS_INTERVAL_MS),
    };
  }

  get ids(): string[] {
    return this.#ids;
  }
}
