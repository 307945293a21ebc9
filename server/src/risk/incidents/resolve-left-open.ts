import type { Transaction } from '../../database/database.ts';
import { updateIncident } from '../../incidents/mutation.ts';
import { listOpenRiskIncidents } from '../../incidents/risk-queries.ts';
import { writeIncident } from '../../incidents/write-incident.ts';

const NOTE = 'Detection state was lost and has been reset. Resolved automatically.';

/** Resolves the open incidents of a detector whose state is lost: nothing else would ever end them. */
export async function resolveLeftOpen(
  transaction: Transaction,
  organizationId: string,
  projectId: string,
): Promise<void> {
  for (const incident of await listOpenRiskIncidents(transaction, organizationId, projectId)) {
    const by = { userId: null, note: NOTE };
    await writeIncident(transaction, updateIncident(incident, { status: 'resolved' }, by, transaction.now()));
  }
}
