import type pg from 'pg';
import { raiseIncident } from '../incidents/change-incident.ts';
import { createIncident } from '../incidents/create-incident.ts';
import { findLatestRiskIncidents, lockFrames } from '../incidents/queries.ts';
import type { Clock } from '../platform/clock.ts';
import { inTransaction, isUnavailable, type Pool } from '../platform/database.ts';
import type { Log } from '../platform/log.ts';
import type { Metrics } from '../platform/metrics.ts';
import { type Delta, detect } from './detector.ts';
import { decide } from './policy.ts';
import {
  acquireLease,
  findState,
  hasInbox,
  type InboxDelta,
  lockProjectOrganization,
  takeInbox,
  upsertState,
} from './queries.ts';

export const RISK_LEASE = 'risk';
/** A leader that dies is replaced after this long. */
const LEASE_MS = 8_000;
const MAX_INBOX_ROWS = 10_000;

export interface RiskDependencies {
  pool: Pool;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  /** Names this process in the lease. UUID. */
  holderId: string;
}

/**
 * One look at what was processed since the last one. The stream is consumed in the transaction that saves
 * the state and writes the incidents, so that each count is seen exactly once, whoever the leader is and
 * whenever it dies.
 * @returns whether there is more to look at already
 */
export async function watchOnce(dependencies: RiskDependencies): Promise<boolean> {
  const { pool, holderId } = dependencies;
  if (!(await hasInbox(pool))) return false;
  const opened = { count: 0 };
  const more = await inTransaction(pool, async (transaction) => {
    if (!(await acquireLease(transaction, { name: RISK_LEASE, holderId, durationMs: LEASE_MS })))
      return false;
    const { rows, deltas } = await takeInbox(transaction, MAX_INBOX_ROWS);
    const byProject = groupTrouble(deltas);
    if (byProject.size > 0) await lockFrames(transaction);
    for (const [projectId, trouble] of byProject) {
      opened.count += await watchProject(transaction, dependencies, projectId, trouble);
    }
    return rows === MAX_INBOX_ROWS;
  });
  if (opened.count > 0) dependencies.metrics.incidents.inc({ origin: 'risk' }, opened.count);
  return more;
}

/** A project whose counts cannot be handled is skipped and logged: it must not silence all others. */
async function watchProject(
  transaction: pg.PoolClient,
  dependencies: RiskDependencies,
  projectId: string,
  deltas: Delta[],
): Promise<number> {
  await transaction.query('SAVEPOINT project');
  try {
    const opened = await applyCounts(transaction, dependencies.clock, projectId, deltas);
    await transaction.query('RELEASE SAVEPOINT project');
    return opened;
  } catch (error) {
    if (isUnavailable(error)) throw error;
    dependencies.log.error({ err: error, projectId }, 'the counts of a project could not be judged');
    await transaction.query('ROLLBACK TO SAVEPOINT project');
    return 0;
  }
}

/** @returns how many incidents it opened */
async function applyCounts(
  transaction: pg.PoolClient,
  clock: Clock,
  projectId: string,
  deltas: Delta[],
): Promise<number> {
  const organizationId = await lockProjectOrganization(transaction, projectId);
  if (!organizationId) return 0;
  const latest = await findLatestRiskIncidents(transaction, organizationId, projectId);
  const countFrom = (type: string, source: string | null) =>
    latest.find((incident) => incident.type === type && incident.source === source)?.resolvedAt?.getTime() ??
    0;

  const { state, alarms } = detect(await findState(transaction, projectId), deltas, countFrom);
  await upsertState(transaction, projectId, state, new Date(clock.now()));
  let opened = 0;
  for (const action of decide(alarms, deltas, latest)) {
    if (action.kind === 'raise') {
      await raiseIncident(transaction, clock, action.incident, action);
    } else {
      const { title, severity, type, source, cause } = action;
      const risk = { type, source, ...cause };
      const incident = {
        organizationId,
        projectId,
        title,
        severity,
        status: 'open',
        userId: null,
        risk,
      } as const;
      await createIncident(transaction, clock, incident);
      opened++;
    }
  }
  return opened;
}

/** Only events of severity error or above are looked at, by project in the order of ids. */
function groupTrouble(deltas: InboxDelta[]): Map<string, Delta[]> {
  const byProject = new Map<string, Delta[]>();
  for (const { projectId, severity, ...delta } of deltas) {
    if (severity !== 'error' && severity !== 'critical') continue;
    const group = byProject.get(projectId) ?? [];
    group.push({ ...delta, critical: severity === 'critical' });
    byProject.set(projectId, group);
  }
  return new Map([...byProject].toSorted(([left], [right]) => (left < right ? -1 : 1)));
}
