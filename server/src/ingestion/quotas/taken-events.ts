import type { Claim } from '../../queue/queue.ts';
import type { Lease } from './lease.ts';
import type { OverQuota } from './over-quota.ts';

/** Events of one request that were taken from all quotas that limit it. */
export class TakenEvents {
  /** Number of events that the request may have accepted. */
  readonly events: number;
  /** Refusal of the others; null: there are none. */
  readonly refusal: OverQuota | null;
  readonly leases: readonly Lease[];

  constructor(leases: readonly Lease[], events: number, refusal: OverQuota | null) {
    this.leases = leases;
    this.events = events;
    this.refusal = refusal;
  }

  /** Asserts that not all events are refused. @throws ApiError `over_quota` */
  assertSome(): void {
    if (this.events === 0 && this.refusal) throw this.refusal;
  }

  giveBack(events: number): void {
    for (const lease of this.leases) lease.giveBack(events);
  }

  /**
   * Adds events by `add`, and gives them back if it fails or they are a repeat.
   * @returns the claim that they repeat
   */
  async settle(events: number, add: () => Promise<Claim | null>): Promise<Claim | null> {
    try {
      const repeated = await add();
      if (repeated) this.giveBack(events);
      return repeated;
    } catch (error) {
      this.giveBack(events);
      throw error;
    }
  }
}
