import { hasOpenAlerts } from '../../alerts/queries.ts';
import type { Transaction } from '../../database/database.ts';
import { annotateIncident, updateIncident } from '../../incidents/mutation.ts';
import { listOpenRiskIncidents } from '../../incidents/risk-queries.ts';
import { writeIncident } from '../../incidents/write-incident.ts';
import { isoTime } from '../../platform/time.ts';

const RESET = 'Detection state was lost and has been reset.';

/**
 * Resolves the open incidents of a detector whose state is lost: nothing but alerts that still fire would ever end them.
 */
export async function resolveLeftOpen(
  transaction: Transaction,
  organizationId: string,
  projectId: string,
): Promise<void> {
  for (const incident of await listOpenRiskIncidents(transaction, organizationId, projectId)) {
    const nowMs = transaction.now();
    if (await hasOpenAlerts(transaction, incident.id)) {
      const evidence = incident.evidence && { ...incident.evidence, endedAt: isoTime(nowMs) };
      const note = `${RESET} Left open because alerts still fire.`;
      await writeIncident(transaction, annotateIncident({ ...incident, evidence }, note, null, nowMs));
      continue;
    }
    const by = { userId: null, note: `${RESET} Resolved automatically.` };
    await writeIncident(transaction, updateIncident(incident, { status: 'resolved' }, by, nowMs));
  }
}
