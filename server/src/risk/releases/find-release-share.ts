import { dispersionOf, findDifferingRelease } from '@tocsin/detector';
import type { Queryable } from '../../database/database.ts';
import { eventsOn } from '../../events/read/events-on.ts';
import type { ReleaseCounts, ReleaseEvents, SharesRequest } from '../../events/read-types.ts';
import type { ReleaseShare, RiskRule, RiskSeries } from '../../incidents/evidence-schema.ts';
import { MINUTE_MS } from '../../platform/durations.ts';
import { isoTime } from '../../platform/time.ts';
import { findReleaseTimes, hasReleases, listErrorBins, type ReleaseTimes } from './release-share-queries.ts';

const MAX_SLOTS = 60;
/** Maximum time before the incident that it is compared with; at least half of it. */
const MAX_BEFORE_MS = 60 * MINUTE_MS;
/** Bins in which clusters of errors are found if they name no users: six hours. */
const BINS = { bins: 36, minutes: 10 };
/** Maximum age of a deploy: an older one is no news, and the comparison stands alone. */
const MAX_DEPLOY_MS = 24 * 60 * MINUTE_MS;
/** Maximum age of a deploy that is reported without any comparison. */
const MAX_TIMING_MS = 60 * MINUTE_MS;

const RULES: ReadonlySet<RiskRule> = new Set(['rise', 'error_share', 'new_kind', 'at_least', 'above_share']);

export interface ReleaseQuestion {
  organizationId: string;
  projectId: string;
  series: RiskSeries;
  rule: RiskRule;
  fromMs: number;
  nowMs: number;
}

/**
 * Finds if the errors of an incident come from one release, or began with its deploy. Null if neither is known beyond
 * chance, and for anything but errors.
 */
export async function findReleaseShare(
  database: Queryable,
  { organizationId, projectId, series, rule, fromMs, nowMs }: ReleaseQuestion,
): Promise<ReleaseShare | null> {
  if (!RULES.has(rule) || !isOfErrors(series)) return null;
  if (!(await hasReleases(database, projectId))) return null;
  const lengthMs = Math.max(MINUTE_MS, nowMs - fromMs);
  const slotMs = Math.max(MINUTE_MS, Math.ceil(lengthMs / MAX_SLOTS));
  const request: SharesRequest = { projectId, series, fromMs, slotMs };
  const events = eventsOn(database);
  const counts = await events.countByRelease(organizationId, request);
  if (!counts.events.some(({ release, failed }) => release !== '' && failed > 0)) return null;
  const beforeMs = Math.min(MAX_BEFORE_MS, Math.max(MAX_BEFORE_MS / 2, lengthMs));
  const before = await events.countByReleaseBefore(organizationId, request, beforeMs);
  const dispersion = counts.isByUser
    ? 1
    : dispersionOf(await listErrorBins(database, organizationId, request, BINS));
  const differing = findDifferingRelease(counts.slots, before, dispersion);
  const only = differing === null ? onlyReleaseOf(counts, before) : null;
  const release = differing ?? only;
  if (release === null) return null;
  const times = await findReleaseTimes(database, projectId, release);
  return toShare(counts, { release, isCompared: differing !== null, times, fromMs, nowMs });
}

function isOfErrors({ kind, severity }: RiskSeries): boolean {
  return kind === 'errors' || kind === 'new_kind' || severity === 'error' || severity === 'critical';
}

/** The release that has all errors and all other events now, if another one had some of them before. */
function onlyReleaseOf({ events }: ReleaseCounts, before: readonly { release: string }[]): string | null {
  const [only, ...others] = events;
  if (!only || only.release === '' || others.length > 0) return null;
  return before.some(({ release }) => release !== only.release) ? only.release : null;
}

interface NamedRelease {
  release: string;
  /** True if its share of errors differs from that of others; else its deploy alone says something. */
  isCompared: boolean;
  times: ReleaseTimes | null;
  fromMs: number;
  nowMs: number;
}

function toShare(
  { events, isByUser, scannedFromMs }: ReleaseCounts,
  { release, isCompared, times, fromMs, nowMs }: NamedRelease,
): ReleaseShare | null {
  const own = events.find((row) => row.release === release);
  if (!own || own.firstFailedMs === null) return null;
  const failed = own.failed;
  const allFailed = sumOf(events, 'failed');
  const others = sumOf(events, 'others');
  const deploy = deployBefore(times, own.firstFailedMs, isCompared ? MAX_DEPLOY_MS : MAX_TIMING_MS);
  if (!isCompared && !deploy) return null;
  return {
    release,
    says: isCompared ? (failed === allFailed ? 'all' : 'more') : 'timing',
    failed,
    allFailed,
    trafficShare: others > 0 ? own.others / others : null,
    isByUser,
    deployedAt: deploy && isoTime(deploy.atMs),
    isDeployReported: deploy?.isReported ?? false,
    minutesBefore: deploy && Math.round((own.firstFailedMs - deploy.atMs) / (MINUTE_MS / 10)) / 10,
    isPartial: scannedFromMs !== null,
    from: isoTime(scannedFromMs ?? fromMs),
    to: isoTime(nowMs),
  };
}

function sumOf(events: readonly ReleaseEvents[], field: 'failed' | 'others'): number {
  return events.reduce((sum, row) => sum + row[field], 0);
}

/** The reported deploy, else the first event; null if it was not shortly before. */
function deployBefore(
  times: ReleaseTimes | null,
  firstFailedMs: number,
  maxMs: number,
): { atMs: number; isReported: boolean } | null {
  const isReported = (times?.deployedAt ?? null) !== null;
  const atMs = (times?.deployedAt ?? times?.firstSeen)?.getTime();
  if (atMs === undefined || atMs > firstFailedMs || firstFailedMs - atMs > maxMs) return null;
  return { atMs, isReported };
}
