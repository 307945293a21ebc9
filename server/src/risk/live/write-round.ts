import { inSavepoint, type Transaction } from '../../database/database.ts';
import { isUnavailable } from '../../database/sql-state.ts';
import { lockFrames } from '../../incidents/frame-queries.ts';
import type { Log } from '../../platform/log.ts';
import { shareProject } from '../../tenancy/projects/lock-queries.ts';
import type { ProjectContext } from '../incidents/load-change-context.ts';
import { createRoundOutcome, type RoundOutcome } from '../incidents/outcome.ts';
import { type ReleaseComparisons, scanReleases } from '../incidents/release-comparisons.ts';
import { resolveLeftOpen } from '../incidents/resolve-left-open.ts';
import { writeOutcome } from '../incidents/write-outcome.ts';
import type { Round } from './round.ts';

/**
 * Writes the incidents of a round, project by project. One project that fails does not stop the others.
 * @returns the number of incidents that it opened, and the projects that failed
 */
export async function writeRound(
  transaction: Transaction,
  log: Log,
  { round, outcomes }: { round: Round; outcomes: Map<string, RoundOutcome> },
  shiftMs: number,
): Promise<{ opened: number; failed: string[] }> {
  const reset = new Set(
    round.begun
      .filter(({ firstIncident, former }) => firstIncident > 1 && !former)
      .map(({ projectId }) => projectId),
  );
  const projectIds = new Set([...outcomes.keys(), ...reset]);
  const comparisons = new Map<string, ReleaseComparisons>();
  for (const [projectId, outcome] of outcomes)
    comparisons.set(projectId, await scanReleases(transaction, { projectId, shiftMs }, outcome));
  if (projectIds.size > 0) await lockFrames(transaction);
  let opened = 0;
  const failed: string[] = [];
  // Projects are locked in the order of their ids, so two transactions that lock several never deadlock.
  for (const projectId of [...projectIds].toSorted((left, right) => (left < right ? -1 : 1))) {
    const outcome = outcomes.get(projectId) ?? createRoundOutcome();
    const releaseComparisons = comparisons.get(projectId) ?? new Map();
    const project = { projectId, shiftMs, isReset: reset.has(projectId), releaseComparisons };
    const written = await writeProject(transaction, log, project, outcome);
    if (written === null) failed.push(projectId);
    else opened += written;
  }
  return { opened, failed };
}

/** @returns the number of incidents that it opened; null if the project failed */
async function writeProject(
  transaction: Transaction,
  log: Log,
  { isReset, ...project }: Omit<ProjectContext, 'organizationId'> & { isReset: boolean },
  outcome: RoundOutcome,
): Promise<number | null> {
  const { projectId } = project;
  const { lateEvents, fault } = outcome;
  if (fault) {
    log.error({ err: fault, projectId }, 'a project could not be evaluated');
    return null;
  }
  if (lateEvents > 0) log.warn({ projectId, lateEvents }, 'events came too late to be watched');
  try {
    return await inSavepoint(transaction, async () => {
      const organizationId = (await shareProject(transaction, null, projectId))?.organizationId;
      if (!organizationId) return 0;
      if (isReset) await resolveLeftOpen(transaction, organizationId, projectId);
      return writeOutcome(transaction, { ...project, organizationId }, outcome);
    });
  } catch (error) {
    if (isUnavailable(error)) throw error;
    log.error({ err: error, projectId }, 'the incidents of a project could not be written');
    return null;
  }
}
