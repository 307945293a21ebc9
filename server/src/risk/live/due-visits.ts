import { STEP_MS } from '@tocsin/detector';
import type { Queryable } from '../../database/database.ts';
import { listDueVisits } from './state-queries.ts';

/** Limits of the visits in one round, about a second of work; the first visit is never left out. */
const MAX_VISITS = 100;
const MAX_VISIT_UPDATES = 300_000;

/** Offloaded projects that must be evaluated although no event came. */
export interface DueVisits {
  projectIds: string[];
  hasMore: boolean;
}

/** The due visits, as many as fit into one round. */
export async function findDueVisits(transaction: Queryable, timeMs: number): Promise<DueVisits> {
  const due = await listDueVisits(transaction, timeMs, MAX_VISITS);
  const projectIds: string[] = [];
  let updates = 0;
  for (const visit of due) {
    updates += visit.series * Math.ceil((timeMs - visit.timeMs) / STEP_MS);
    if (projectIds.length > 0 && updates > MAX_VISIT_UPDATES) break;
    projectIds.push(visit.projectId);
  }
  return { projectIds, hasMore: projectIds.length < due.length || due.length === MAX_VISITS };
}
