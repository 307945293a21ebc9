import type { Queryable } from '../../database/database.ts';
import { foldEnvironment } from '../../environments/fold-environment.ts';
import type { ReleaseCounting, ReleaseTotals } from '../../events/read-types.ts';
import type { EventReads } from '../../events/reader.ts';
import { toId } from '../../platform/ids.ts';
import { isoTime } from '../../platform/time.ts';
import { listReleasesByVersion } from '../../releases/queries.ts';
import type { ReleaseRow } from '../../releases/schema.ts';
import { groupKey } from '../../tenancy/projects/group-key.ts';
import { listGroupsById } from '../queries.ts';
import { findReleaseBefore, listLatestReleases } from '../release-orders.ts';
import { type ComparedCounts, compareGroups, type GroupChange } from './compare-groups.ts';
import { compareShares } from './compare-shares.ts';
import { findEnvironment, listGroupsOfRelease } from './count-queries.ts';
import type { ComparedGroup, ComparedRelease, Comparison } from './schema.ts';

/** Maximum events that are scanned for a release in one range: both releases take at most two seconds. */
const MAX_SCANNED = 50_000;

export interface ComparisonRequest {
  organizationId: string;
  project: { id: string; groupPrefix: string };
  /** Undefined: the latest one. */
  release: string | undefined;
  /** Undefined: the one before. */
  base: string | undefined;
  /** Undefined: all watched ones. */
  environment: string | undefined;
  now: Date;
  maxScanned?: number;
}

/** Compares the stored events of two releases of a project, which was checked before. */
export async function compareReleases(events: EventReads, request: ComparisonRequest): Promise<Comparison> {
  const { database } = events;
  const { organizationId, project } = request;
  const environment = foldEnvironment(request.environment ?? '') ?? null;
  const release = request.release ?? (await listLatestReleases(database, [project.id])).get(project.id);
  const base =
    request.base ?? (release === undefined ? null : await findReleaseBefore(database, project.id, release));
  const versions = [release, base].flatMap((version) => version ?? []);
  const rows = await listReleasesByVersion(
    database,
    organizationId,
    versions.map((version) => ({ projectId: project.id, version })),
  );
  const count = await counterOf(events, request, environment, rows);
  const [one, other] = [
    release === undefined ? null : await count(release, base),
    base === null ? null : await count(base, release ?? null),
  ];
  const changes = one && other && compareGroups(one, other);
  return {
    projectId: toId('proj', project.id),
    environment,
    release: one && toRelease(one),
    base: other && toRelease(other),
    difference: one && other && compareShares(toShare(one), toShare(other)),
    totals: changes?.totals ?? { worse: 0, new: 0, gone: 0 },
    groups: await describeGroups(database, request, changes?.groups ?? []),
  };
}

interface CountedRelease extends ComparedCounts, Omit<ReleaseTotals, 'groups'> {
  /** Time before which events were counted; null: all. */
  beforeMs: number | null;
}

/** Returns a function that counts a release beside another one. */
async function counterOf(
  events: EventReads,
  { organizationId, project: { id: projectId }, maxScanned = MAX_SCANNED }: ComparisonRequest,
  environmentName: string | null,
  rows: readonly ReleaseRow[],
): Promise<(version: string, other: string | null) => Promise<CountedRelease>> {
  const environment =
    environmentName === null ? null : await findEnvironment(events.database, projectId, environmentName);
  const timesOf = (version: string | null) => {
    const row = rows.find((one) => one.version === version);
    return { firstMs: row?.firstSeen?.getTime() ?? null, lastMs: row?.lastSeen?.getTime() ?? null };
  };
  return async (version, other) => {
    const { firstMs, lastMs } = timesOf(version);
    // Times of releases are those of events of watched environments.
    const isTimed = environment === null || environment.isWatched;
    const none = { events: 0, errors: 0, groups: [], scan: null };
    const request = { projectId, version, environment: environment?.number ?? null, maxScanned };
    const range = isTimed ? { fromMs: firstMs, beforeMs: lastMs === null ? null : lastMs + 1 } : UNBOUNDED;
    const counted =
      isTimed && firstMs === null
        ? { ...none, beforeMs: null }
        : await countInRange(events, organizationId, { ...request, ...range }, timesOf(other).firstMs);
    const uncounted = await listUncounted(events.database, projectId, version, counted);
    return { version, ...counted, uncounted };
  };
}

const UNBOUNDED = { fromMs: null, beforeMs: null };

/**
 * Counts the newest events of a release. Where a release after it has begun, and fills all that was scanned, the time before
 * is scanned, too: what ran on with the old release may be one machine of a hundred. The range with more of its events counts.
 */
async function countInRange(
  events: EventReads,
  organizationId: string,
  request: ReleaseCounting,
  otherFirstMs: number | null,
): Promise<ReleaseTotals & { beforeMs: number | null }> {
  const newest = { ...(await events.countRelease(organizationId, request)), beforeMs: null };
  if (newest.scan === null || otherFirstMs === null || newest.scan.fromMs <= otherFirstMs) return newest;
  const before = await events.countRelease(organizationId, { ...request, beforeMs: otherFirstMs });
  return before.events > newest.events ? { ...before, beforeMs: otherFirstMs } : newest;
}

async function listUncounted(
  database: Queryable,
  projectId: string,
  version: string,
  { scan, beforeMs, groups }: ReleaseTotals & { beforeMs: number | null },
): Promise<ReadonlySet<string>> {
  if (scan === null && beforeMs === null) return new Set();
  const named = await listGroupsOfRelease(database, projectId, version);
  for (const { id } of groups) named.delete(id);
  return named;
}

function toShare({ errors, events }: CountedRelease) {
  return { part: errors, events };
}

function toRelease({ version, events, errors, scan, beforeMs }: CountedRelease): ComparedRelease {
  return {
    version,
    events,
    errors,
    from: scan && isoTime(scan.fromMs),
    to: beforeMs === null ? null : isoTime(beforeMs),
  };
}

async function describeGroups(
  database: Queryable,
  { organizationId, project, now }: ComparisonRequest,
  changes: readonly GroupChange[],
): Promise<ComparedGroup[]> {
  const ids = changes.map(({ id }) => id);
  const rows = await listGroupsById(database, organizationId, ids, now);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return changes.flatMap(({ id, ...change }) => {
    const row = byId.get(id);
    if (!row) return [];
    return [
      { id: toId('grp', id), key: groupKey(project.groupPrefix, row.number), title: row.title, ...change },
    ];
  });
}
