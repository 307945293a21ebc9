import type { Queryable } from '../../database/database.ts';
import { acquireLease, deleteLease } from '../../database/lease-queries.ts';

const RISK_LEASE = 'risk';
/** A leader that dies is replaced after this long. */
const LEASE_MS = 8_000;
/** Interval of renewal: a leader without work stays the leader, since another one would have to load everything. */
const RENEWAL_MS = 3_000;

/** Lease that one process at a time holds on the detectors of all projects. */
export class RiskLease {
  readonly #holderId: string;
  #renewedMs = 0;

  /** @param holderId identifies this process. UUID. */
  constructor(holderId: string) {
    this.#holderId = holderId;
  }

  /** True if the lease cannot have expired since it was acquired or renewed last. */
  get isValid(): boolean {
    return performance.now() - this.#renewedMs < LEASE_MS;
  }

  get isRenewalDue(): boolean {
    return performance.now() - this.#renewedMs > RENEWAL_MS;
  }

  /** Acquires or renews the lease. @returns true if this process holds it */
  async acquire(database: Queryable): Promise<boolean> {
    this.#renewedMs = performance.now();
    return acquireLease(database, { name: RISK_LEASE, holderId: this.#holderId, durationMs: LEASE_MS });
  }

  /** Releases the lease, so that another worker can take over at once. */
  async release(database: Queryable): Promise<void> {
    await deleteLease(database, RISK_LEASE, this.#holderId);
  }
}
