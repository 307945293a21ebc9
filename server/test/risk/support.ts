import type { ApiClient } from '../support/client.ts';
import type { TestUser } from '../support/service.ts';
import { waitFor } from '../support/wait.ts';

export interface Series {
  type?: string;
  source?: string | null;
  severity?: string;
}

/** Sends so many events of a series in one request, which is one batch. */
export async function sendEvents(
  ingest: ApiClient,
  count: number,
  { type = 'checkout', source = 'shop', severity = 'ERROR' }: Series = {},
): Promise<void> {
  const event = { type, severity, message: 'It failed', ...(source !== null && { source }) };
  const answer = await ingest.post(
    '/ingest/bulk',
    Array.from({ length: count }, () => event),
  );
  if (answer.status !== 202) throw new Error(`It was answered ${answer.status}.`);
}

export async function incidentsOf(user: TestUser, projectId: string) {
  return (await user.api.get(`/incidents?project_id=${projectId}`)).body;
}

/** The incidents of a project, newest first, once there are so many and they count so many events. */
export async function incidentsCounting(user: TestUser, projectId: string, counts: number[]) {
  return waitFor(`incidents of ${counts.join(' and ')} events`, async () => {
    const incidents = await incidentsOf(user, projectId);
    const found = incidents.map((incident: { eventCount: number }) => incident.eventCount);
    return JSON.stringify(found) === JSON.stringify(counts) && incidents;
  });
}
