import type { Pool } from '../../database/database.ts';
import { WEEK_MS } from '../../platform/durations.ts';
import { latestHold } from '../../platform/stored-times.ts';
import { listRoutesById } from '../routing/queries.ts';
import type { RouteRow } from '../routing/route.ts';
import { WINDOW_MS } from './bound-storm.ts';
import { isCriticalOpening } from './defer-messages.ts';
import { listBudgetUses, listResolvedSubjects } from './deferral-queries.ts';
import { zoneOf } from './describe-deferral.ts';
import { nextDigestTime } from './digest-time.ts';
import type { ClaimedTarget } from './lease-queries.ts';
import { listRecentMessages, listThreads, listWaiting, type ThreadRow, type WaitingRow } from './queries.ts';
import { findQuietPeriod, toQuiet } from './quiet-period.ts';
import type { Budget, Situation, Thread } from './situation.ts';

/** Input of the plan for a target, with its database rows. */
export interface ReadSituation {
  situation: Situation;
  /** Waiting deliveries by their ids. */
  rows: ReadonlyMap<string, WaitingRow>;
  /** Threads by their subjects. */
  threads: ReadonlyMap<string, ThreadRow>;
  /** Existing routes of the waiting deliveries, by their ids. */
  routes: ReadonlyMap<string, RouteRow>;
  /** Subject of the last digest of a storm that is not over. */
  lastDigest: string | null;
}

export async function readSituation(
  pool: Pool,
  target: ClaimedTarget,
  { canEdit, nowMs, confirmedMs }: { canEdit: boolean; nowMs: number; confirmedMs: number },
): Promise<ReadSituation> {
  const { id, organizationId, quietHours } = target;
  const waiting = await listWaiting(pool, id, new Date(nowMs));
  const subjectIds = [...new Set(waiting.map(({ subjectId }) => subjectId))];
  const routeIds = [...new Set(waiting.flatMap(({ routeId }) => routeId ?? []))];
  const recent = await listRecentMessages(pool, id, {
    since: new Date(nowMs - WINDOW_MS),
    until: new Date(latestHold(nowMs, 0)),
  });
  const digests = recent.filter(({ change }) => change === 'digest');
  const threads = await listThreads(pool, id, subjectIds);
  const routes = await listRoutesById(pool, organizationId, routeIds);
  const situation: Situation = {
    waiting: waiting.map(({ createdAt, dueAt, ...row }) => ({
      ...row,
      createdMs: createdAt.getTime(),
      dueMs: dueAt.getTime(),
    })),
    threads: new Map(
      threads.map(({ subjectId, remote, sentAt }): [string, Thread] => [
        subjectId,
        { isEditable: remote !== null, sentMs: sentAt.getTime() },
      ]),
    ),
    recent: {
      messages: recent.length - digests.length,
      criticals: recent.filter(isCriticalOpening).length,
      digestsMs: digests.map(({ at }) => at.getTime()),
    },
    canEdit,
    quiet: quietHours && toQuiet(quietHours, findQuietPeriod(quietHours, nowMs)),
    budgets: await readBudgets(pool, target, routes, nowMs),
    resolved: await readResolved(pool, organizationId, waiting, confirmedMs),
    nowMs,
    confirmedMs,
  };
  return {
    situation,
    rows: new Map(waiting.map((row) => [row.id, row])),
    threads: new Map(threads.map((row) => [row.subjectId, row])),
    routes: new Map(routes.map((row) => [row.id, row])),
    lastDigest: digests.at(-1)?.subjectId ?? null,
  };
}

async function readBudgets(
  pool: Pool,
  target: ClaimedTarget,
  routes: readonly RouteRow[],
  nowMs: number,
): Promise<Map<string, Budget>> {
  const bounded = new Map(
    routes.flatMap(({ id, maxPerWeek }) => (maxPerWeek === null ? [] : [[id, maxPerWeek] as const])),
  );
  if (bounded.size === 0) return new Map();
  const uses = await listBudgetUses(pool, target.id, {
    routeIds: [...bounded.keys()],
    since: new Date(nowMs - WEEK_MS),
    now: new Date(nowMs),
  });
  const nextDigestMs = nextDigestTime(zoneOf(target), nowMs);
  return new Map(
    uses.map(({ routeId, used, lastDigestAt }) => [
      routeId,
      {
        maxPerWeek: bounded.get(routeId) ?? 0,
        used,
        lastDigestMs: lastDigestAt && lastDigestAt.getTime(),
        nextDigestMs,
      },
    ]),
  );
}

async function readResolved(
  pool: Pool,
  organizationId: string,
  waiting: readonly WaitingRow[],
  confirmedMs: number,
): Promise<Set<string>> {
  const held = waiting.filter(({ deferredBy }) => deferredBy === 'quiet_hours');
  if (held.length === 0) return new Set();
  const ids = [...new Set(held.map(({ subjectId }) => subjectId))];
  return new Set(await listResolvedSubjects(pool, organizationId, ids, new Date(confirmedMs)));
}
