import type { DetectorEvent } from '@tocsin/detector';
import type { Transaction } from '../../database/database.ts';
import type { IncidentRow } from '../../incidents/rows.ts';
import { writeIncident } from '../../incidents/write-incident.ts';
import { newUuid } from '../../platform/ids.ts';
import { listDeclaredSeries } from '../../schedules/queries.ts';
import { decideIncidentChange } from '../incidents/decide-incident-change.ts';
import { loadChangeContext, type ProjectContext } from '../incidents/load-change-context.ts';
import { decisionOf } from './decision.ts';
import { insertDecisions } from './decision-queries.ts';
import { isDeclared } from './declared-series.ts';
import { deleteLateSources, insertLateSources } from './late-source-queries.ts';
import type { RoundOutcome } from './outcome.ts';
import { planIncidents } from './plan-incidents.ts';

/**
 * Writes the outcome of a round for a project: its incidents with their timelines and frames, and every decision.
 * @param transaction holds `lockFrames` and the project's row
 * @returns the number of incidents that it opened
 */
export async function writeOutcome(
  transaction: Transaction,
  project: ProjectContext,
  { detectorEvents, added, open, lateSources }: RoundOutcome,
): Promise<number> {
  const { organizationId, projectId } = project;
  if (lateSources) {
    await deleteLateSources(transaction, projectId);
    if (lateSources.length > 0) await insertLateSources(transaction, projectId, lateSources, project.shiftMs);
  }
  const hasHeartbeats = detectorEvents.some((event) => 'anomaly' in event && event.anomaly.heartbeat);
  const declared = hasHeartbeats ? await listDeclaredSeries(transaction, projectId) : [];
  const isHandedOver = (event: DetectorEvent) => isDeclared(event, declared);
  const evaluated = detectorEvents.filter((event) => !isHandedOver(event));
  const incidents = new Map<number, IncidentRow>();
  let opened = 0;
  for (const plan of planIncidents(evaluated, added)) {
    const { row, context } = await loadChangeContext(transaction, project, plan, open);
    const mutation = decideIncidentChange(row, plan, context);
    const incident = mutation.kind === 'none' ? row : await writeIncident(transaction, mutation);
    if (mutation.kind === 'create') opened++;
    if (incident) incidents.set(plan.incident, incident);
  }
  const times = { nowMs: transaction.now(), shiftMs: project.shiftMs };
  const decisions = detectorEvents.map((event) => {
    const incident = 'incident' in event ? (incidents.get(event.incident) ?? null) : null;
    const id = newUuid(transaction.now());
    const decision = decisionOf(event, incident, times);
    const handedOver = isHandedOver(event) && ({ outcome: 'suppressed', reason: 'declared' } as const);
    return { id, organizationId, projectId, ...decision, ...handedOver };
  });
  await insertDecisions(transaction, decisions);
  return opened;
}
