import { type AlertNotice, hashGroup, type ListedAlert } from '../../alerts/notice.ts';
import { foldEnvironment } from '../../environments/fold-environment.ts';
import { type ScrubSettings, scrub } from '../../scrubbing/scrub.ts';
import { Changes } from '../event/changes.ts';
import { toCorrelation } from '../event/correlation.ts';
import type { Observation } from '../event/to-event.ts';
import { isCredibleCapture } from '../mappers/custom-event.ts';
import { describeAlert } from './describe-alert.ts';
import type { Alert, Notification } from './read-notification.ts';

/** Labels that the fields of the event have already. */
const NAMED = new Set(['alertname', 'severity']);

/**
 * Converts an alert of a notification: one event when it fires, and one of severity info when it is over. Its time is
 * that of the alert, unless no event may have it.
 */
export function toObservation(
  { origin, groupKey }: Notification,
  alert: Alert,
  receivedAtMs: number,
): Observation {
  const changes = new Changes();
  const { type, severity, source, message } = describeAlert(alert, changes);
  const atMs = alert.isFiring ? alert.startsAtMs : (alert.endsAtMs ?? receivedAtMs);
  const { labels } = alert.body;
  const isCredible = isCredibleCapture(atMs, receivedAtMs);
  changes.add('clock', !isCredible);
  return {
    type,
    severity: alert.isFiring ? severity : 'info',
    source,
    message: alert.isFiring ? message : `Resolved: ${message}`,
    payload: { origin, groupKey, ...alert.body },
    correlation: toCorrelation(
      Object.entries(labels).filter(([key]) => !NAMED.has(key)),
      changes,
    ),
    environment: changes.shortenEnvironment(environmentOf(labels)),
    capturedAtMs: isCredible ? atMs : undefined,
    changed: changes.list,
    isAlert: true,
  };
}

/** Names the environment by the labels that teams use for it. */
function environmentOf(labels: Record<string, string>): string | undefined {
  return labels.environment ?? labels.env;
}

/**
 * The group as the worker leads it to an incident, without secrets; null: there is nothing to lead, since an alert for a test
 * opens none. What is replaced is not counted: the event of each alert counts it.
 * @param settings choices of the project about secrets; absent: those of default
 */
export function toNotice(
  { origin, groupKey, truncated, alerts }: Notification,
  settings?: ScrubSettings,
): AlertNotice | null {
  // Together: a secret of one alert may stand in another.
  const uncounted = settings && { ...settings, onFound: undefined };
  const { bodies } = scrub({ bodies: alerts.map(({ body }) => body) }, uncounted).fields;
  const listed = alerts.flatMap((received, index): ListedAlert[] => {
    const alert = { ...received, body: bodies[index] ?? received.body };
    const { type, severity, source, title, links, isTest } = describeAlert(alert, new Changes());
    const { fingerprint, isFiring, startsAtMs, endsAtMs } = alert;
    if (isTest) return [];
    const environment = foldEnvironment(environmentOf(alert.body.labels) ?? '') ?? null;
    return [
      { fingerprint, isFiring, startsAtMs, endsAtMs, title, type, severity, source, environment, links },
    ];
  });
  return listed.length === 0 ? null : { origin, groupHash: hashGroup(origin, groupKey), truncated, listed };
}
