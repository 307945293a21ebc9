import type { Pool, Queryable } from '../../database/database.ts';
import { type Clock, confirmedTime } from '../../platform/clock.ts';
import type { LoopDeclaration } from '../../platform/loop.ts';
import type { KeyOwner } from '../../tenancy/api-keys/queries.ts';
import { BROWSER_QUOTA, QUOTA_LIMITS, QUOTA_PERIODS, type Quota } from '../../tenancy/api-keys/quota.ts';
import type { ItemCounts } from '../intake/item-counts.ts';
import { Lease, type WindowReport } from './lease.ts';
import { OverQuota } from './over-quota.ts';
import { insertQuotaWindows, listChosenQuotas, updateQuotaWindows } from './queries.ts';
import { TakenEvents } from './taken-events.ts';

export type QuotaOwner = Pick<KeyOwner, 'keyId' | 'projectId' | 'browser'>;

/** Reason under which refused events are counted. */
const OVER_QUOTA = 'over_quota';
/** Maximum windows that are over and wait for a database that does not answer; the oldest are forgotten. */
const MAX_ENDED = 10_000;
const FLUSH_INTERVAL_MS = 2_000;
const MAX_ANSWER_MS = 500;

export function declareQuotaLoop(quotas: Quotas): LoopDeclaration {
  return {
    name: 'quotas',
    round: async () => {
      await quotas.flush();
      return 'idle';
    },
    idleDelayMs: FLUSH_INTERVAL_MS,
  };
}

export interface QuotaDependencies {
  pool: Pool;
  /** Id under which its leases are kept. */
  processId: string;
  clock: Clock;
  monotonicMs: () => number;
  counts: ItemCounts;
  /** True while the database is known to be lost. */
  isLost: () => boolean;
  /** Time for which a request waits for the database; then its events pass, and are counted afterwards. */
  maxAnswerMs?: number;
}

interface SentReport {
  lease: Lease;
  report: WindowReport;
}

/**
 * Limits the events of projects and keys in windows of time, by one row a window in the database from which each process
 * takes events in advance: a query for some hundred events of a limit, and at most one at a time.
 *
 * Guarantee: all processes together accept no more than the limit in a window, and refuse nothing while more than a
 * hundredth of it is unused; while the database is lost or slow to answer, what is accepted is counted afterwards. Windows begin
 * at fixed times of the confirmed clock and keep their counts, so that a clock that leaps or is set back finds the same ones.
 */
export class Quotas {
  readonly #dependencies: QuotaDependencies;
  #chosen: ReadonlyMap<string, Quota> = new Map();
  /** Leases by window, without its start: at most six for each key in use. */
  readonly #leases = new Map<string, Lease>();
  /** Leases of windows that are over, until they are reported. */
  #ended: Lease[] = [];
  readonly #asking = new Set<Lease>();
  /** Query in progress, and the one that begins after it. */
  #query: Promise<void> = Promise.resolve();
  #nextQuery: Promise<void> | null = null;

  constructor(dependencies: QuotaDependencies) {
    this.#dependencies = dependencies;
  }

  /** Loads the quotas of all projects and keys that have one. */
  async load(database: Queryable): Promise<void> {
    const rows = await listChosenQuotas(database);
    this.#chosen = new Map(rows.map(({ subjectId, ...quota }) => [subjectId, quota]));
  }

  /** True if a quota may limit the events of the key. */
  isLimited({ keyId, projectId, browser }: QuotaOwner): boolean {
    return browser !== null || this.#chosen.has(projectId) || this.#chosen.has(keyId);
  }

  /**
   * Takes events from the quotas of a key and its project: as many as are left in all of them. What is not accepted in the
   * end is given back.
   * @param kind kind of item under which refused ones are counted; null: the caller counts them
   */
  async take(owner: QuotaOwner, wanted: number, kind: string | null): Promise<TakenEvents> {
    const left = await this.takeLeft(owner, wanted);
    const { leases, events } = left;
    if (events === wanted) return left;
    if (kind !== null) this.#count(owner, kind, wanted - events);
    return new TakenEvents(leases, events, this.#refuse(leases, wanted - events));
  }

  /**
   * As `take`, for a caller that asks again for the others, once it has given repeats back: they are refused when none
   * is left. @throws ApiError `over_quota`
   */
  async takeSome(owner: QuotaOwner, wanted: number, kind: string): Promise<TakenEvents> {
    const left = await this.takeLeft(owner, wanted);
    if (left.events > 0) return left;
    this.#count(owner, kind, wanted);
    throw this.#refuse(left.leases, wanted);
  }

  /** As `take`, but refuses and counts none. */
  async takeLeft(owner: QuotaOwner, wanted: number): Promise<TakenEvents> {
    for (;;) {
      const leases = this.#leasesOf(owner);
      const nowMs = this.#dependencies.monotonicMs();
      const short = leases.filter((lease) => lease.isShort(wanted, nowMs));
      if (short.length > 0) {
        if (this.#dependencies.isLost()) for (const lease of short) lease.pass(nowMs);
        else await this.#waitFor(short, wanted);
        continue;
      }
      const events = leases.reduce((least, { available }) => Math.min(least, available), wanted);
      for (const lease of leases) lease.take(events);
      return new TakenEvents(leases, events, null);
    }
  }

  /** Returns the refusal of a further event if a quota is known to be used up; null: it may be left. */
  findRefusal(owner: QuotaOwner): OverQuota | null {
    const leases = this.#leasesOf(owner);
    const nowMs = this.#dependencies.monotonicMs();
    const isKnown = leases.some((lease) => lease.available === 0 && !lease.isShort(1, nowMs));
    return isKnown ? this.#refuse(leases, 1) : null;
  }

  /**
   * Reports what was used and refused since the last time, and returns what is not used.
   * @param isLast true: the process ends
   */
  async flush(isLast = false): Promise<void> {
    // The question in progress comes first: its events would be asked for twice.
    await (this.#nextQuery ?? this.#query);
    const nowMs = confirmedTime(this.#dependencies.clock);
    for (const [key, lease] of this.#leases)
      if (lease.endMs <= nowMs) {
        this.#leases.delete(key);
        this.#ended.push(lease);
      }
    const ended = this.#ended.splice(0);
    const takeReports = () =>
      [...ended, ...this.#leases.values()].flatMap((lease): SentReport[] => {
        const report = lease.takeFinalReport(isLast);
        return report ? [{ lease, report }] : [];
      });
    try {
      await this.#send(takeReports());
      // Events that were owed came with an advance.
      if (isLast) await this.#send(takeReports());
    } catch (error) {
      this.#ended = [...ended, ...this.#ended].slice(-MAX_ENDED);
      throw error;
    }
  }

  #leasesOf({ keyId, projectId, browser }: QuotaOwner): Lease[] {
    const nowMs = confirmedTime(this.#dependencies.clock);
    const ofKey = this.#chosen.get(keyId) ?? (browser ? BROWSER_QUOTA : undefined);
    const leases: Lease[] = [];
    for (const [subjectId, quota] of [
      [projectId, this.#chosen.get(projectId)],
      [keyId, ofKey],
    ] as const)
      for (const name of quota ? QUOTA_LIMITS : []) {
        const limit = quota?.[name] ?? null;
        if (limit === null) continue;
        const lease = this.#leaseOf({ subjectId, projectId, name }, limit, nowMs);
        leases.push(lease);
      }
    return leases;
  }

  #leaseOf(
    limited: { subjectId: string; projectId: string; name: keyof Quota },
    limit: number,
    nowMs: number,
  ): Lease {
    const key = `${limited.subjectId} ${limited.name}`;
    const periodMs = QUOTA_PERIODS[limited.name];
    const startMs = Math.floor(nowMs / periodMs) * periodMs;
    const known = this.#leases.get(key);
    if (known?.window.startMs === startMs) {
      known.limit = limit;
      return known;
    }
    if (known) this.#ended.push(known);
    const lease = new Lease({ ...limited, periodMs, startMs }, limit);
    this.#leases.set(key, lease);
    return lease;
  }

  /** Counts refused events for the limit that is used up for the longest time. */
  #refuse(leases: readonly Lease[], events: number): OverQuota {
    const usedUp = leases.filter(({ available }) => available === 0);
    const [last] = usedUp.toSorted((left, right) => right.endMs - left.endMs);
    if (!last) throw new Error('Events are refused although each limit has some left.');
    last.refuse(events);
    const { window, limit, endMs } = last;
    const scope = window.subjectId === window.projectId ? 'project' : 'key';
    return new OverQuota(
      { scope, name: window.name, events: limit, endMs },
      confirmedTime(this.#dependencies.clock),
    );
  }

  #count({ projectId }: QuotaOwner, kind: string, quantity: number): void {
    this.#dependencies.counts.note({ projectId, kind, reason: OVER_QUOTA, quantity });
  }

  /** As `#askBriefly`; a report that is sent meanwhile returns nothing of what is asked for. */
  async #waitFor(leases: readonly Lease[], wanted: number): Promise<void> {
    for (const lease of leases) lease.waiting++;
    await this.#askBriefly(leases, wanted);
    for (const lease of leases) lease.waiting--;
  }

  /** As `#ask`; a database that does not answer in time lets the events pass. */
  async #askBriefly(leases: readonly Lease[], wanted: number): Promise<void> {
    const { monotonicMs, maxAnswerMs = MAX_ANSWER_MS } = this.#dependencies;
    const answer = this.#ask(leases, wanted);
    const query = this.#nextQuery;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(true), maxAnswerMs);
    });
    const isLate = await Promise.race([answer.then(() => false), late]);
    clearTimeout(timer);
    if (!isLate) return;
    for (const lease of leases) {
      // A question that was not sent yet would count them twice: they are owed once they are taken.
      if (this.#nextQuery === query) lease.demand -= wanted;
      lease.pass(monotonicMs());
    }
  }

  /** Asks for events, together with all requests that wait for the same query. */
  #ask(leases: readonly Lease[], wanted: number): Promise<void> {
    for (const lease of leases) {
      lease.demand += wanted;
      this.#asking.add(lease);
    }
    this.#nextQuery ??= this.#askAfter(this.#query);
    return this.#nextQuery;
  }

  async #askAfter(earlier: Promise<void>): Promise<void> {
    await earlier;
    this.#query = this.#nextQuery ?? Promise.resolve();
    this.#nextQuery = null;
    const sent = [...this.#asking].map((lease) => ({ lease, report: lease.takeReport() }));
    this.#asking.clear();
    // A failure lets the events pass: their commit needs the database as well.
    await this.#send(sent).catch(() => {});
  }

  async #send(sent: readonly SentReport[]): Promise<void> {
    if (sent.length === 0) return;
    const { pool, processId, clock, monotonicMs } = this.#dependencies;
    try {
      const closed = sent.flatMap(({ lease }) => (lease.isOpen ? [] : [lease.window]));
      if (closed.length > 0) await insertQuotaWindows(pool, closed);
      const reports = sent.map(({ lease, report }) => ({ window: lease.window, limit: lease.limit, report }));
      const granted = await updateQuotaWindows(pool, reports, {
        processId,
        now: new Date(confirmedTime(clock)),
      });
      for (const [index, { lease, report }] of sent.entries()) {
        lease.isOpen = true;
        // A deleted project has no window: the commit refuses its events.
        lease.grant(granted[index] ?? report.wanted, report, monotonicMs());
      }
    } catch (error) {
      for (const { lease, report } of sent) lease.restore(report, monotonicMs());
      throw error;
    }
  }
}
