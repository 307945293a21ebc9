import { cutText } from '../event/cut-text.ts';
import type { Correlation } from '../event/schema.ts';
import type { Observation } from '../event/to-event.ts';
import { isCredibleCapture } from '../mappers/custom-event.ts';
import { describeAlert } from './describe-alert.ts';
import type { Alert, Notification } from './read-notification.ts';

/** Bounds of `correlation`, as of custom events. */
const MAX_LABELS = 32;
const MAX_LABEL_LENGTH = 256;

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
  const { type, severity, source, message } = describeAlert(alert);
  const atMs = alert.isFiring ? alert.startsAtMs : (alert.endsAtMs ?? receivedAtMs);
  return {
    type,
    severity: alert.isFiring ? severity : 'info',
    source,
    message: alert.isFiring ? message : `Resolved: ${message}`,
    payload: { origin, groupKey, ...alert.body },
    correlation: toCorrelation(alert.body.labels),
    capturedAtMs: isCredibleCapture(atMs, receivedAtMs) ? atMs : undefined,
  };
}

function toCorrelation(labels: Record<string, string>): Correlation {
  const entries = Object.entries(labels).filter(([key]) => !NAMED.has(key));
  return Object.fromEntries(
    entries
      .slice(0, MAX_LABELS)
      .map(([key, value]) => [cutText(key, MAX_LABEL_LENGTH), cutText(value, MAX_LABEL_LENGTH)]),
  );
}
