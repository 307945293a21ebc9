import { deleteAlertGroupsBefore } from '../alerts/queries.ts';
import type { Pool } from '../database/database.ts';
import { deleteCountsBefore, deleteGroupHourCopies } from '../events/counts/hour-queries.ts';
import { rollHours } from '../events/counts/roll-hours.ts';
import { ensurePartitions } from '../events/partitions.ts';
import { weekOf } from '../events/weeks.ts';
import { MINUTES_KEPT_HOURS } from '../groups/limits.ts';
import {
  addMinutesToHours,
  deleteExpiredFingerprints,
  deleteGroupHoursBefore,
  deleteGroupsLastSeenBefore,
} from '../groups/retention-queries.ts';
import { deleteFramesBefore } from '../incidents/frame-queries.ts';
import { deleteScrubbedBefore } from '../ingestion/event/queries.ts';
import { deleteRequestsBefore } from '../ingestion/requests/queries.ts';
import { updateBrowsersOfExpiredSessions } from '../notifications/channels/webpush/queries.ts';
import { updateImpossibleDue } from '../notifications/delivery/deferral-queries.ts';
import {
  deleteChangesBefore,
  deleteDeliveriesBefore,
  deleteThreadsBefore,
} from '../notifications/log/queries.ts';
import { deleteSilencesSettledBefore } from '../notifications/silences/queries.ts';
import type { Clock } from '../platform/clock.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../platform/durations.ts';
import type { Log } from '../platform/log.ts';
import { hourOf } from '../platform/time.ts';
import { removeDeadLettersBefore } from '../processing/dead-letters/expire.ts';
import { deleteSampledEventsBefore } from '../processing/queries.ts';
import { deleteLivenessBefore } from '../queue/liveness-queries.ts';
import { deleteClaimsBefore } from '../queue/queries.ts';
import { deleteUpdatesBefore } from '../realtime/update-queries.ts';
import {
  deleteDeploysBefore,
  deleteReleasesBefore,
  deleteSurplusReleases,
} from '../releases/retention-queries.ts';
import { deleteDecisionsBefore } from '../risk/incidents/decision-queries.ts';
import { deleteExclusionsBefore } from '../risk/live/exclusion-queries.ts';
import { updateImpossibleReviews } from '../schedules/review-queries.ts';
import { UNUSED_DAYS } from '../source-maps/limits.ts';
import { deleteChunksBefore, deleteMapsUnusedSince } from '../source-maps/retention-queries.ts';
import { ACCOUNT_WINDOW_MS, CODE_WINDOW_MS } from '../tenancy/accounts/guess-limits.ts';
import { deleteLoginFailuresBefore } from '../tenancy/accounts/login-failure-queries.ts';
import { deleteExpiredSessions } from '../tenancy/accounts/queries.ts';
import { deleteInvitationsExpiredBefore } from '../tenancy/invitations/queries.ts';
import { deleteQuotaWindowsBefore } from '../tenancy/quotas/queries.ts';
import { deleteRecoveryLinksBefore } from '../tenancy/recovery/queries.ts';
import { deleteTokensExpiredBefore } from '../tenancy/tokens/queries.ts';
import { dropWeeks } from './drop-weeks.ts';
import { removeExpired } from './expiry.ts';
import { MaintenanceClock, type MaintenanceDependencies, type MaintenanceTime } from './maintenance-clock.ts';
import { PacedChunks } from './paced-chunks.ts';
import { ProjectPurge } from './project-purge.ts';

/** Events may be captured 7 days before and 5 minutes after they are received; a week ahead is created in time. */
const PARTITIONS_BACK_MS = 8 * DAY_MS;
const PARTITIONS_AHEAD_MS = 8 * DAY_MS;
const CLAIM_DAYS = 30;
/** Days for which detection can read counts and liveness again at least, however short retention is: five weeks and a day. */
const DETECTION_DAYS = 36;
/** Days for which jobs of events that were counted and not kept are known, by the capture of the event: up to a week before. */
const SAMPLED_DAYS = 8;
/** Days for which replaced values are counted. */
const SCRUBBED_DAYS = 30;
const DECISION_DAYS = 7;
/** Days for which a notice about a quota tells what was refused. */
const QUOTA_WINDOW_DAYS = 8;
/** Budgets of notification routes count the messages of seven days. */
const MIN_DELIVERY_DAYS = 8;
/** Days for which an expired token stays in the list: its user finds out why a script has failed. */
const EXPIRED_TOKEN_DAYS = 7;
/** Days after its expiry for which an invitation still says so when it is opened. */
const INVITATION_DAYS = 30;
const CHUNK_ROWS = 5_000;
/** Maximum time of a round for purging deleted projects, and for what projects keep for less time: the rest of it waits. */
const PACED_MS = 5_000;
/** Maximum hours copied in one round: a day, which takes some seconds if a million groups have events. */
const MAX_HOURS = 24;

/**
 * Creates partitions ahead of time, applies retention, and deletes data that is kept for a limited time. Every worker
 * runs it, and finished work leaves nothing to the others. Nothing is deleted while the clock is not trusted; work
 * that a clock which was ahead has put off for too long is made due.
 */
export class Maintenance {
  readonly #dependencies: MaintenanceDependencies;
  readonly #clock: MaintenanceClock;
  readonly #purge: ProjectPurge;
  readonly #expiry: PacedChunks;
  /** Trusted time that ages of events are counted from. */
  #countedFromMs = 0;

  constructor(dependencies: MaintenanceDependencies) {
    this.#dependencies = dependencies;
    this.#clock = new MaintenanceClock(dependencies);
    const { pool, metrics } = dependencies;
    this.#purge = new ProjectPurge(pool);
    this.#expiry = new PacedChunks(() =>
      removeExpired(
        pool,
        () => new Date(this.#countedFromMs),
        (events) => metrics.expiredEvents.inc({ choice: 'project' }, events),
      ),
    );
  }

  /**
   * Runs one round.
   * @param stopping ends long operations
   * @returns true if there is more to do at once
   */
  async run(stopping?: AbortSignal): Promise<boolean> {
    const { pool, clock, retentionDays } = this.#dependencies;
    const time = await this.#clock.assess();
    await updateImpossibleDue(pool, clock.now());
    await updateImpossibleReviews(pool, clock.now());
    // Partitions that cannot be created (behind a lock) must not prevent the rest; the round fails at its end.
    const [made] = await Promise.allSettled([ensurePartitionsAround(pool, clock, retentionDays)]);
    const hasProjects = await this.#purge.run(PACED_MS, stopping);
    const hasHours = await rollHours(pool, MAX_HOURS);
    const hasOld = time !== null && (await this.#removeOld(time));
    const hasExpired = time !== null && (await this.#removeExpired(time, stopping));
    if (made.status === 'rejected') throw made.reason;
    return hasProjects || hasHours || hasOld || hasExpired;
  }

  #removeExpired({ countedFromMs }: MaintenanceTime, stopping?: AbortSignal): Promise<boolean> {
    this.#countedFromMs = countedFromMs;
    return this.#expiry.run(PACED_MS, stopping);
  }

  /** @returns true if there is more */
  async #removeOld({ nowMs, countedFromMs, isConfirmed }: MaintenanceTime): Promise<boolean> {
    const { pool, retentionDays } = this.#dependencies;
    const retainFromMs = countedFromMs - retentionDays * DAY_MS;
    const expired = await dropWeeks(this.#dependencies, this.#clock, nowMs, retainFromMs);
    const oldestKeptMs = expired[0] ?? weekOf(retainFromMs);
    // At least as long as their events: lists go by the counts where a type, source or severity is rare.
    const countsFrom = new Date(Math.min(oldestKeptMs, countedFromMs - DETECTION_DAYS * DAY_MS));
    await updateBrowsersOfExpiredSessions(pool, new Date(nowMs));
    await deleteExpiredSessions(pool, new Date(nowMs));
    await deleteTokensExpiredBefore(pool, new Date(nowMs - EXPIRED_TOKEN_DAYS * DAY_MS));
    await deleteInvitationsExpiredBefore(pool, new Date(nowMs - INVITATION_DAYS * DAY_MS));
    await deleteRecoveryLinksBefore(pool, new Date(nowMs - DAY_MS));
    const [failuresFrom, codesFrom] = [nowMs - ACCOUNT_WINDOW_MS, nowMs - CODE_WINDOW_MS];
    await deleteLoginFailuresBefore(pool, new Date(failuresFrom), new Date(codesFrom));
    await deleteFramesBefore(pool, new Date(nowMs - 60 * MINUTE_MS));
    await deleteUpdatesBefore(pool, new Date(nowMs - 60 * MINUTE_MS));
    await deleteLivenessBefore(pool, new Date(nowMs - DETECTION_DAYS * DAY_MS));
    await deleteQuotaWindowsBefore(pool, new Date(nowMs - QUOTA_WINDOW_DAYS * DAY_MS));
    await deleteExclusionsBefore(pool, new Date(nowMs - DAY_MS));
    const removed = [
      await deleteCountsBefore(pool, 'event_counts', countsFrom, CHUNK_ROWS),
      await deleteCountsBefore(pool, 'field_counts', countsFrom, CHUNK_ROWS),
      await deleteCountsBefore(pool, 'event_hours', countsFrom, CHUNK_ROWS),
      await deleteCountsBefore(pool, 'fingerprint_hours', new Date(oldestKeptMs), CHUNK_ROWS),
      await deleteGroupHourCopies(pool, CHUNK_ROWS),
      await addMinutesToHours(pool, new Date(hourOf(nowMs - MINUTES_KEPT_HOURS * HOUR_MS)), CHUNK_ROWS),
      await deleteGroupHoursBefore(pool, new Date(oldestKeptMs), CHUNK_ROWS),
      await deleteGroupsLastSeenBefore(pool, new Date(oldestKeptMs), CHUNK_ROWS),
      await deleteExpiredFingerprints(pool, new Date(nowMs), CHUNK_ROWS),
      await deleteReleasesBefore(pool, new Date(oldestKeptMs), CHUNK_ROWS),
      await deleteSurplusReleases(pool, CHUNK_ROWS),
      await deleteDeploysBefore(pool, new Date(oldestKeptMs), CHUNK_ROWS),
      await removeDeadLettersBefore(pool, new Date(retainFromMs), CHUNK_ROWS),
      await deleteRequestsBefore(pool, 'request_counts', new Date(nowMs - DAY_MS), CHUNK_ROWS),
      await deleteRequestsBefore(pool, 'request_samples', new Date(nowMs - DAY_MS), CHUNK_ROWS),
      await deleteScrubbedBefore(pool, new Date(nowMs - SCRUBBED_DAYS * DAY_MS), CHUNK_ROWS),
      await deleteSampledEventsBefore(pool, new Date(nowMs - SAMPLED_DAYS * DAY_MS), CHUNK_ROWS),
      await deleteClaimsBefore(pool, new Date(nowMs - CLAIM_DAYS * DAY_MS), CHUNK_ROWS),
      await deleteAlertGroupsBefore(pool, new Date(nowMs - CLAIM_DAYS * DAY_MS), CHUNK_ROWS),
      // As long as events: the log of a delivery explains an incident of that time.
      await deleteDeliveriesBefore(
        pool,
        new Date(Math.min(retainFromMs, nowMs - MIN_DELIVERY_DAYS * DAY_MS)),
        CHUNK_ROWS,
      ),
      await deleteChangesBefore(pool, new Date(retainFromMs), CHUNK_ROWS),
      await deleteThreadsBefore(pool, new Date(retainFromMs), CHUNK_ROWS),
      await deleteSilencesSettledBefore(pool, new Date(retainFromMs), CHUNK_ROWS),
      await deleteDecisionsBefore(pool, new Date(nowMs - DECISION_DAYS * DAY_MS), CHUNK_ROWS),
    ];
    const hasUploads = await deleteChunksBefore(pool, new Date(nowMs - DAY_MS));
    const hasMaps = await deleteMapsUnusedSince(pool, new Date(nowMs - UNUSED_DAYS * DAY_MS));
    const hasMore = removed.includes(CHUNK_ROWS) || hasUploads || hasMaps;
    if (isConfirmed && expired.length === 0 && !hasMore) await this.#clock.endConfirmation();
    return hasMore;
  }
}

/**
 * Creates the partitions that the first events need. Only the current one is indispensable: the worker's next rounds,
 * or the batch that needs them, create the others.
 */
export async function prepareForEvents(
  pool: Pool,
  clock: Clock,
  log: Log,
  retentionDays: number,
): Promise<void> {
  await ensurePartitions(pool, clock.now(), clock.now());
  try {
    await ensurePartitionsAround(pool, clock, retentionDays);
  } catch (error) {
    log.warn({ err: error }, 'partitions of other weeks could not be made yet: the worker tries again');
  }
}

/** Creates partitions by the clock that stamps the events, right or wrong. */
async function ensurePartitionsAround(pool: Pool, clock: Clock, retentionDays: number): Promise<void> {
  const nowMs = clock.now();
  // Not further back than retention reaches, which would drop the partitions again.
  const fromMs = Math.max(nowMs - PARTITIONS_BACK_MS, nowMs - retentionDays * DAY_MS);
  await ensurePartitions(pool, fromMs, nowMs + PARTITIONS_AHEAD_MS);
}
