import { UP } from '@tocsin/detector';
import type { Transaction } from '../../database/database.ts';
import { worst } from '../../events/severity.ts';
import { applyChanges } from '../../incidents/apply-changes.ts';
import {
  addToIncident,
  noteOnIncident,
  resolveByItself,
  retellIncident,
  withJoined,
} from '../../incidents/change-risk-incident.ts';
import { createIncident } from '../../incidents/create-incident.ts';
import { findInvestigatedOf, findLastResolvedOf, listIncidentsByNumber } from '../../incidents/queries.ts';
import type { IncidentRow, RiskRule, RiskSeries } from '../../incidents/schema.ts';
import { newUuid } from '../../platform/ids.ts';
import type { Outcome } from '../live/round.ts';
import { decisionOf } from './decide.ts';
import { insertDecisions } from './decision-queries.ts';
import { gatherEvidence, type ProjectContext, toJoined } from './gather-evidence.ts';
import { deleteLateSources, insertLateSources } from './late-source-queries.ts';
import {
  countEvents,
  type IncidentPlan,
  leadOf,
  planIncidents,
  type Told,
  worstOf,
} from './plan-incidents.ts';
import { findWorse, tellByWorse, toRow } from './tell-by-worse.ts';
import { toTitle } from './words.ts';

const SUMS: ReadonlySet<RiskSeries['kind']> = new Set(['total', 'errors', 'rule']);
/** What is the same when it comes back; a rule, or a new kind, may be about something else. */
const CONTINUED: ReadonlySet<RiskSeries['kind']> = new Set([
  'events',
  'errors',
  'total',
  'other',
  'failed_payments',
]);
const RISING: RiskRule[] = ['rise', 'failed_payments'];
export const FALLING: RiskRule[] = ['drop', 'silence'];
/** So long after it opened, an incident may be told by something that says more. */
const RETELLING_MS = 5 * 60_000;
const QUIET = 'Quiet for a while, or the new normal: nothing about it is unusual any more.';

/**
 * Writes what a round brought for a project: its incidents, their timelines and frames, and every decision.
 * @returns how many incidents it opened
 */
export async function writeOutcome(
  transaction: Transaction,
  ids: ProjectContext,
  { verdicts, raised, open: notOver, lateSources }: Outcome,
): Promise<number> {
  if (lateSources) {
    await deleteLateSources(transaction, ids.projectId);
    if (lateSources.length > 0) await insertLateSources(transaction, ids.projectId, lateSources, ids.shiftMs);
  }
  const plans = planIncidents(verdicts, raised);
  const numbers = plans.map(({ incident }) => incident);
  const rows = new Map<number, IncidentRow>();
  for (const row of await listIncidentsByNumber(transaction, ids.organizationId, ids.projectId, numbers)) {
    if (row.riskNumber !== null) rows.set(row.riskNumber, row);
  }
  let opened = 0;
  for (const plan of plans) {
    const known = rows.get(plan.incident);
    const { row, isNew } = known
      ? { row: await goOn(transaction, ids, known, plan), isNew: false }
      : await open(transaction, ids, plan, notOver);
    if (isNew) opened++;
    if (row) rows.set(plan.incident, row);
    if (row && plan.isOver) await end(transaction, row);
  }
  const decisions = verdicts.map((verdict) => {
    const incident = 'incident' in verdict ? (rows.get(verdict.incident) ?? null) : null;
    const { organizationId, projectId } = ids;
    return {
      id: newUuid(transaction.now()),
      organizationId,
      projectId,
      ...decisionOf(verdict, incident, transaction.now()),
    };
  });
  await insertDecisions(transaction, decisions);
  return opened;
}

async function open(
  transaction: Transaction,
  ids: ProjectContext,
  { incident: riskNumber, told, raisedBy }: IncidentPlan,
  notOver: number[],
): Promise<{ row: IncidentRow | null; isNew: boolean }> {
  const [first, ...others] = told;
  if (!first) return { row: null, isNew: false };
  const { organizationId, projectId } = ids;
  const lead = leadOf([first, ...others]);
  const { series, finding } = lead;
  const evidence = await gatherEvidence(transaction, ids, lead, told, transaction.now());
  // What somebody investigates goes on in his incident, although it was quiet for a while.
  const investigated =
    CONTINUED.has(series.kind) &&
    (await findInvestigatedOf(transaction, organizationId, projectId, {
      series,
      rules: finding.side === UP ? RISING : FALLING,
      notNumbers: notOver,
    }));
  if (investigated) {
    const noted = await noteOnIncident(
      transaction,
      { ...investigated, riskNumber },
      `It is back. ${evidence.sentence}`,
      countAll(told, raisedBy),
    );
    const severity = worst(noted.severity, worstOf(told));
    const changes = await applyChanges(transaction, noted, { severity }, { userId: null });
    return { row: changes?.incident ?? noted, isNew: false };
  }
  const previous = await findLastResolvedOf(transaction, organizationId, projectId, series);
  const row = await createIncident(transaction, {
    organizationId,
    projectId,
    title: toTitle(series, finding),
    severity: worstOf(told),
    status: 'open',
    userId: null,
    risk: {
      number: riskNumber,
      type: series.type,
      source: series.source,
      eventCount: countAll(told, raisedBy),
      evidence,
      previousIncidentId: previous?.id ?? null,
    },
  });
  return { row, isNew: true };
}

/** What was resolved by a person in this moment is left alone: the next round knows of it. */
async function goOn(
  transaction: Transaction,
  ids: ProjectContext,
  row: IncidentRow,
  { told, raisedBy }: IncidentPlan,
): Promise<IncidentRow> {
  if (row.status === 'resolved' || (told.length === 0 && raisedBy === 0)) return row;
  const saysMore = told.filter(({ series }) => series.kind !== 'new_kind');
  const [first, ...others] = saysMore;
  if (
    first &&
    row.evidence?.rule === 'new_kind' &&
    transaction.now() - row.createdAt.getTime() <= RETELLING_MS
  ) {
    return retell(transaction, ids, { ...row, eventCount: row.eventCount + raisedBy }, [first, ...others]);
  }
  // What joins a sum is counted by it already, but for what came before the sum began.
  const joined = isSum(row) ? Math.max(0, countEvents(told) - row.eventCount - raisedBy) : countEvents(told);
  const events = raisedBy + joined;
  const rows = told.map((one) => toJoined(one, ids.shiftMs, transaction.now()));
  const worse = findWorse(row, told);
  if (worse) return tellByWorse(transaction, ids, row, { worse, told, rows, events });
  return addToIncident(transaction, row, { events, severity: worstOf(told), joined: rows });
}

/** The first events of a burst are often of a new kind; a moment later it is the burst that has to be told. */
async function retell(
  transaction: Transaction,
  ids: ProjectContext,
  row: IncidentRow,
  told: [Told, ...Told[]],
): Promise<IncidentRow> {
  const lead = leadOf(told);
  const evidence = await gatherEvidence(transaction, ids, lead, told, transaction.now());
  const known = row.evidence ? [toRow(row.evidence, row), ...(row.evidence.joined ?? [])] : [];
  return retellIncident(transaction, row, {
    // A person's title stays.
    title: row.titleOrigin === 'generated' ? toTitle(lead.series, lead.finding) : row.title,
    severity: worst(row.severity, worstOf(told)),
    eventCount: Math.max(row.eventCount, countEvents(told)),
    evidence: withJoined(evidence, known).evidence ?? evidence,
  });
}

/** Of one round: what a rule counted, and what came after it, may lie in a series that is told as well. */
function countAll(told: Told[], raisedBy: number): number {
  const byRules = told.filter(({ series }) => series.kind === 'rule');
  return Math.max(countEvents(told), countEvents(byRules) + raisedBy);
}

function isSum({ evidence }: IncidentRow): boolean {
  return [evidence?.series, ...(evidence?.alsoSeries ?? [])].some(
    (series) => series !== undefined && SUMS.has(series.kind),
  );
}

async function end(transaction: Transaction, row: IncidentRow): Promise<void> {
  if (row.status === 'open') await resolveByItself(transaction, row, `${QUIET} Resolved by itself.`);
  if (row.status === 'investigating')
    await noteOnIncident(transaction, row, `${QUIET} It stays with whoever investigates it.`, 0);
}
