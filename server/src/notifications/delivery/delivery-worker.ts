import { newUuid } from '../../platform/ids.ts';
import type { LoopOptions } from '../../platform/loop.ts';
import { Loop } from '../../platform/loop.ts';
import { logBackgroundFailure } from '../../platform/outage-log.ts';
import { acquireTargets, type ClaimedTarget, deleteLease, type OrganizationPlaces } from './lease-queries.ts';
import { LEASE_MS } from './retries.ts';
import type { Lease, SendingDependencies } from './send-context.ts';
import { sendToTarget } from './send-to-target.ts';

/** Maximum targets that are sent to at once; each holds a database connection for moments only. */
const MAX_TARGETS = 128;
/** Maximum failing targets among them: however many are dead, the others have places. */
const MAX_FAILING_TARGETS = 32;
/** Maximum targets of one organization among them: an alarm of another organization finds a place. */
const MAX_OF_ORGANIZATION = { working: 32, failing: 16 };
/** Interval of the search for messages whose wait is over, such as for the rate of a target. */
const POLL_INTERVAL_MS = 500;
/**
 * The same interval once nothing was sent for a while: new messages wake the worker, and a retry may be late by so
 * much.
 */
const QUIET_POLL_INTERVAL_MS = 5_000;
const QUIET_AFTER_MS = 60_000;
/** While many targets are sent to, one query fills the places that become free within it. */
const CLAIM_INTERVAL_MS = 25;
/** Fits the step of the shutdown: a message without an answer by then is sent again by another worker. */
const STOP_LIMIT_MS = 2_000;

export interface DeliveryWorkerDependencies extends SendingDependencies {
  metrics: SendingDependencies['metrics'] & LoopOptions['metrics'];
}

interface RunningTarget {
  organizationId: string;
  isFailing: boolean;
  done: Promise<void>;
}

/**
 * Sends what is in the outbox. Any number of workers run at once: a target is leased to one at a time, and the lease
 * of a killed worker expires. So a delivery is sent at least once, and twice only if its answer was not recorded.
 */
export class DeliveryWorker {
  readonly #dependencies: DeliveryWorkerDependencies;
  readonly #running = new Map<string, RunningTarget>();
  readonly #loop: Loop;
  /** Monotonic time. */
  #quietFromMs = 0;

  constructor(dependencies: DeliveryWorkerDependencies) {
    const { log, metrics } = dependencies;
    this.#dependencies = dependencies;
    this.#loop = new Loop({
      name: 'notifications',
      round: async () => ((await this.#claim()) > 0 ? 'again' : 'idle'),
      idleDelayMs: () => (performance.now() < this.#quietFromMs ? POLL_INTERVAL_MS : QUIET_POLL_INTERVAL_MS),
      minIntervalMs: CLAIM_INTERVAL_MS,
      log,
      metrics,
    });
  }

  start(): void {
    this.#loop.start();
  }

  async stop(): Promise<void> {
    await this.#loop.stop();
    const limit = new Promise<void>((resolve) => setTimeout(resolve, STOP_LIMIT_MS).unref());
    await Promise.race([Promise.all([...this.#running.values()].map(({ done }) => done)), limit]);
  }

  /** Sends new deliveries of the outbox now. */
  wake(): void {
    this.#quietFromMs = performance.now() + QUIET_AFTER_MS;
    this.#loop.wake();
  }

  /** @returns the number of targets that it has begun to send to */
  async #claim(): Promise<number> {
    const { pool, clock } = this.#dependencies;
    const running = [...this.#running.values()];
    const all = MAX_TARGETS - running.length;
    const failing = MAX_FAILING_TARGETS - running.filter(({ isFailing }) => isFailing).length;
    if (all === 0) return 0;
    const now = clock.now();
    // Not the id of the process: it may lease a target again whose lease has expired while it still sends.
    const holder = newUuid(now);
    const lease = { holder, now: new Date(now), until: new Date(now + LEASE_MS) };
    const targets = await acquireTargets(pool, lease, {
      all,
      failing: Math.max(0, failing),
      ofOrganization: MAX_OF_ORGANIZATION,
      taken: placesOf(running),
    });
    for (const target of targets) this.#begin(target, { holder, sinceMs: now });
    return targets.length;
  }

  #begin(target: ClaimedTarget, lease: Lease): void {
    const key = lease.holder + target.id;
    const done = this.#send(target, lease).finally(() => {
      this.#running.delete(key);
      this.wake();
    });
    const { organizationId, failures } = target;
    this.#running.set(key, { organizationId, isFailing: failures > 0, done });
  }

  async #send(target: ClaimedTarget, lease: Lease): Promise<void> {
    const { pool, log } = this.#dependencies;
    try {
      const untilMs = await sendToTarget(this.#dependencies, target, lease);
      await deleteLease(pool, target.id, {
        holder: lease.holder,
        blockedUntil: untilMs === null ? null : new Date(untilMs),
        bucketUntil: target.bucketUntil,
      });
    } catch (error) {
      // The database, most likely. The lease expires, which also keeps a fault from turning into a busy loop.
      logBackgroundFailure(log, 'sending to targets', error);
    }
  }
}

function placesOf(running: readonly RunningTarget[]): OrganizationPlaces[] {
  const places = new Map<string, OrganizationPlaces>();
  for (const { organizationId, isFailing } of running) {
    const taken = places.get(organizationId) ?? { organizationId, working: 0, failing: 0 };
    taken[isFailing ? 'failing' : 'working']++;
    places.set(organizationId, taken);
  }
  return [...places.values()];
}
