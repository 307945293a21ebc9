import type { ExpensiveReads } from '../../database/expensive-reads.ts';
import type { Current, FollowedIncident, ReadCurrent } from '../../incidents/current-values.ts';
import type { ReleaseShare } from '../../incidents/evidence-schema.ts';
import type { StoredEvidence } from '../../incidents/stored-evidence.ts';
import type { Clock } from '../../platform/clock.ts';
import { toUuid } from '../../platform/ids.ts';
import type { Log } from '../../platform/log.ts';
import { waitAtMost } from '../../platform/timing/wait-at-most.ts';
import { listLeadMinutes } from '../counts/lead-queries.ts';
import { findReleaseShare } from '../releases/find-release-share.ts';
import { requestOf, toCurrent } from './current.ts';
import { listSeriesMinutes } from './queries.ts';

/** Minimum age at which an incident's counts are read again, however often it is read and its frames are sent. */
const KEPT_MS = 2_000;
/** Maximum wait of an answer or a frame: if the database is slower, the values come with the next one. */
const MAX_WAIT_MS = 500;
const MAX_KEPT = 1_000;
/** Minimum age at which releases are compared again: the comparison reads events. */
const RELEASE_KEPT_MS = 15_000;
const MAX_RELEASE_WAIT_MS = 200;
/** Maximum time that is compared: an old incident is compared by its last hour. */
const MAX_RELEASE_MS = 60 * 60_000;

interface CacheEntry {
  untilMs: number;
  value: Promise<Current | null>;
}

/** Computes the current values of open incidents, each at most once in two seconds in this process. */
export class CurrentReader {
  readonly #reads: ExpensiveReads;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #waitFactor: number;
  /** Values by incident, the oldest first. */
  readonly #kept = new Map<string, CacheEntry>();
  /** Comparisons by incident as well. */
  readonly #releases = new Map<string, { untilMs: number; share: ReleaseShare | null }>();

  constructor(dependencies: { reads: ExpensiveReads; clock: Clock; log: Log; waitFactor: number }) {
    this.#reads = dependencies.reads;
    this.#clock = dependencies.clock;
    this.#log = dependencies.log;
    this.#waitFactor = dependencies.waitFactor;
  }

  /**
   * @returns null for an incident that is resolved or was created by hand, and if the values are not known in time
   */
  readonly read: ReadCurrent = async (incident) => {
    const { evidence, isResolved } = incident;
    if (!evidence || isResolved) return null;
    return waitAtMost(MAX_WAIT_MS * this.#waitFactor, this.#find(incident, evidence), null);
  };

  #find(incident: FollowedIncident, evidence: StoredEvidence): Promise<Current | null> {
    const nowMs = this.#clock.now();
    const kept = this.#kept.get(incident.id);
    if (kept && nowMs < kept.untilMs) return kept.value;
    const value = this.#load(incident, evidence, nowMs).catch((error: unknown) => {
      this.#log.warn({ err: error }, 'the current values of an incident could not be read');
      return null;
    });
    this.#kept.delete(incident.id);
    const [oldest] = this.#kept.keys();
    if (oldest !== undefined && this.#kept.size >= MAX_KEPT) this.#kept.delete(oldest);
    this.#kept.set(incident.id, { untilMs: nowMs + KEPT_MS, value });
    return value;
  }

  async #load(incident: FollowedIncident, evidence: StoredEvidence, nowMs: number): Promise<Current | null> {
    const request = requestOf(evidence, incident.since.getTime(), nowMs);
    if (!request) return null;
    const { organizationId, projectId } = incident;
    const { series, recentFromMs, peakFromMs, toMs } = request;
    // Several requests wait for the same answer: it does not end with one of them.
    const { signal } = new AbortController();
    const read = { organizationId, signal, subject: 'the counts of an incident' };
    const current = await this.#reads.run(read, async (database) => {
      const followed = { projectId, series };
      const range = { fromMs: recentFromMs, toMs };
      const recent = await listSeriesMinutes(database, organizationId, followed, range);
      const minutes = await listLeadMinutes(
        database,
        organizationId,
        { projectId, series: series[0], groupId: groupOf(incident.lead) },
        { fromMs: Math.min(peakFromMs, recentFromMs), toMs },
      );
      const headline = minutes.map((minute) => ({ ...minute, index: 0 }));
      const joined = recent.filter(({ index }) => index > 0);
      const now = headline.filter(({ minuteMs }) => minuteMs >= recentFromMs);
      return toCurrent(evidence, request, { recent: [...joined, ...now], headline }, nowMs);
    });
    return { ...current, release: await this.#findRelease(incident, evidence, nowMs) };
  }

  /** Returns the last known comparison if a new one takes longer: the counts do not wait for it. */
  async #findRelease(
    { id, organizationId, projectId, since }: FollowedIncident,
    { series, rule }: StoredEvidence,
    nowMs: number,
  ): Promise<ReleaseShare | null> {
    const kept = this.#releases.get(id);
    if (kept && nowMs < kept.untilMs) return kept.share;
    this.#keepRelease(id, kept?.share ?? null, nowMs);
    const fromMs = Math.max(since.getTime(), nowMs - MAX_RELEASE_MS);
    const question = { organizationId, projectId, series, rule, fromMs, nowMs };
    const { signal } = new AbortController();
    const read = { organizationId, signal, subject: 'the releases of an incident' };
    const found = this.#reads
      .run(read, (database) => findReleaseShare(database, question))
      .then((share) => this.#keepRelease(id, share, nowMs))
      .catch((error: unknown) =>
        this.#log.warn({ err: error }, 'the releases of an incident could not be read'),
      );
    await waitAtMost(MAX_RELEASE_WAIT_MS * this.#waitFactor, found, undefined);
    return this.#releases.get(id)?.share ?? null;
  }

  #keepRelease(id: string, share: ReleaseShare | null, nowMs: number): void {
    this.#releases.delete(id);
    const [oldest] = this.#releases.keys();
    if (oldest !== undefined && this.#releases.size >= MAX_KEPT) this.#releases.delete(oldest);
    this.#releases.set(id, { untilMs: nowMs + RELEASE_KEPT_MS, share });
  }
}

/** UUID of the group that leads; null: a series does. */
function groupOf(lead: FollowedIncident['lead']): string | null {
  return lead.kind === 'group' ? toUuid('grp', lead.groupId) : null;
}
