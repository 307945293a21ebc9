import type { Answer } from '../support/client.ts';
import type { TestProject, TestUser } from '../support/service.ts';
import { waitFor } from '../support/wait.ts';

const NEVER = '0001-01-01T00:00:00Z';

const isoAt = (atMs: number) => new Date(atMs).toISOString();

interface AlertFields {
  name?: string;
  service?: string;
  severity?: string;
  startsAtMs: number;
  endsAtMs?: number;
  /** Further fields of the alert. */
  with?: Record<string, unknown>;
}

/** Returns an alert of a notification; one with an end is resolved. */
export function anAlert({ name = 'DiskFull', service = 'shop', severity = 'error', ...fields }: AlertFields) {
  const { startsAtMs, endsAtMs } = fields;
  return {
    status: endsAtMs === undefined ? 'firing' : 'resolved',
    labels: { alertname: name, service, severity },
    annotations: { summary: `${name} of ${service}` },
    startsAt: isoAt(startsAtMs),
    endsAt: endsAtMs === undefined ? NEVER : isoAt(endsAtMs),
    fingerprint: `${name} ${service}`,
    ...fields.with,
  };
}

/** Sends a notification of a group of Alertmanager. */
export async function notify(
  { ingest }: Pick<TestProject, 'ingest'>,
  groupKey: string,
  alerts: Record<string, unknown>[],
  truncatedAlerts = 0,
): Promise<void> {
  const answer = await ingest.post('/ingest/alertmanager', {
    version: '4',
    groupKey,
    truncatedAlerts,
    alerts,
  });
  if (answer.status !== 202) throw new Error(`It was answered ${answer.status}: ${answer.body.detail}`);
}

/** Waits until the incidents of a project, the oldest first, are as expected. */
export function incidentsOf(
  { api }: TestUser,
  { id }: TestProject,
  isExpected: (incidents: Answer['body'][]) => boolean,
): Promise<Answer['body'][]> {
  return waitFor('the incidents of the alerts', async () => {
    const { body } = await api.get(`/incidents?project_id=${id}`);
    const incidents: Answer['body'][] = body.toReversed();
    return isExpected(incidents) && incidents;
  });
}

/** Notes of an incident's timeline, the oldest first. */
export async function notesOf({ api }: TestUser, incidentId: string): Promise<(string | null)[]> {
  const { body } = await api.get(`/incidents/${incidentId}`);
  return body.timeline.map(({ note }: { note: string | null }) => note);
}
