import type { Transaction } from '../database/database.ts';
import { SEVERITIES } from '../events/severities.ts';
import { worst } from '../events/severity.ts';
import { annotateIncident, createIncident, updateIncident } from '../incidents/mutation.ts';
import { findIncident } from '../incidents/queries.ts';
import type { IncidentRow } from '../incidents/rows.ts';
import type { IncidentLink } from '../incidents/schema.ts';
import { writeIncident } from '../incidents/write-incident.ts';
import type { AlertNotice, ListedAlert } from './notice.ts';
import { hasOpenAlerts } from './queries.ts';
import { describeStarted } from './words.ts';

/** Alerts that began to fire, one at least. */
interface StartedAlerts {
  organizationId: string;
  projectId: string;
  notice: AlertNotice;
  started: ListedAlert[];
}

/**
 * Opens the incident of alerts.
 * @param transaction holds `lockFrames` and has locked the project
 */
export async function openAlertIncident(
  transaction: Transaction,
  { organizationId, projectId, notice, started }: StartedAlerts,
  previousIncidentId: string | null,
): Promise<IncidentRow> {
  const lead = worstOf(started);
  const cause = {
    kind: notice.origin,
    type: lead.type,
    source: lead.source,
    sentence: describeStarted(notice, started),
    links: linksOf([lead, ...started].flatMap(({ links }) => links)),
    previousIncidentId,
  };
  const { title, severity } = lead;
  const input = { organizationId, projectId, title, severity, status: 'open' as const, cause };
  return writeIncident(transaction, createIncident(input, transaction.now()));
}

/**
 * Adds alerts to an incident that is not over. Its severity only rises; a repeated run of known alerts is no news.
 * @param news alerts that the incident does not know; empty: it knows all of them
 */
export async function addToIncident(
  transaction: Transaction,
  incident: IncidentRow,
  { notice, started }: Pick<StartedAlerts, 'notice' | 'started'>,
  news: readonly ListedAlert[],
): Promise<void> {
  const severity = worst(incident.severity, worstOf(started).severity);
  const links = linksOf([...incident.links, ...started.flatMap((alert) => alert.links)]);
  if (news.length === 0 && severity === incident.severity && links.length === incident.links.length) return;
  const note = news.length === 0 && severity === incident.severity ? null : describeStarted(notice, started);
  const by = { userId: null, note };
  await writeIncident(
    transaction,
    updateIncident({ ...incident, links }, { severity }, by, transaction.now()),
  );
}

/**
 * Ends the part of an incident that alerts are, which resolves it once everything else of it is over.
 * @param reason sentence that says how the alerts ended
 */
export async function endAlerts(
  transaction: Transaction,
  organizationId: string,
  { incidentId, reason }: { incidentId: string; reason: string },
): Promise<void> {
  const incident = await findIncident(transaction, organizationId, incidentId, 'lock');
  if (!incident || incident.status === 'resolved' || (await hasOpenAlerts(transaction, incidentId))) return;
  const nowMs = transaction.now();
  const { riskNumber, evidence, status } = incident;
  if (riskNumber !== null && evidence && evidence.endedAt === undefined) {
    const note = `${reason} Left open because it’s not back to normal here.`;
    await writeIncident(transaction, annotateIncident(incident, note, null, nowMs));
  } else if (status === 'investigating') {
    const note = `${reason} Left open because it’s being investigated.`;
    await writeIncident(transaction, annotateIncident(incident, note, null, nowMs));
  } else {
    const by = { userId: null, note: `${reason} Resolved automatically.` };
    await writeIncident(transaction, updateIncident(incident, { status: 'resolved' }, by, nowMs));
  }
}

function worstOf(alerts: readonly ListedAlert[]): ListedAlert {
  const rank = ({ severity }: ListedAlert) => SEVERITIES.indexOf(severity);
  return alerts.reduce((lead, alert) => (rank(alert) > rank(lead) ? alert : lead));
}

/** The first link of each name. */
function linksOf(links: readonly IncidentLink[]): IncidentLink[] {
  const byName = new Map<string, IncidentLink>();
  for (const link of links) if (!byName.has(link.name)) byName.set(link.name, link);
  return [...byName.values()];
}
