import { createHash } from 'node:crypto';
import type { AlertOrigin } from '../../alerts/notice.ts';
import { toApiError } from '../../http/error-handling.ts';
import { createBodyCheck } from '../../http/validation.ts';
import { ApiError } from '../../platform/errors.ts';
import { isObject } from '../../platform/json/json-object.ts';
import { parseStrictJson } from '../../platform/json/strict-json.ts';
import { parseIsoTime } from '../../platform/time.ts';
import { MAX_EVENT_BYTES } from '../event/schema.ts';
import { type AlertBody, NotificationBody } from './schema.ts';

/** Maximum JSON values of a notification. */
const MAX_VALUES = 250_000;
/** Maximum alerts that are read of one; the others count as left out by the sender. */
const MAX_ALERTS = 2_000;

/** One alert of a notification. */
export interface Alert {
  /** Identifier of its labels. */
  fingerprint: string;
  isFiring: boolean;
  /** Milliseconds. */
  startsAtMs: number;
  /** Milliseconds; null: its end is not known. */
  endsAtMs: number | null;
  /** The alert as sent. */
  body: AlertBody;
}

/** Notification of an alert group: its alerts, each with its own status. */
export interface Notification {
  origin: AlertOrigin;
  groupKey: string;
  /** Number of alerts that are left out. */
  truncated: number;
  alerts: Alert[];
}

const findProblem = createBodyCheck(NotificationBody);

/**
 * Reads the body of a notification.
 * @throws ApiError with one sentence, which Alertmanager writes into its log: `validation_failed`, `malformed_json`;
 * `body_too_large` for an alert that is larger than an event may be
 */
export function readNotification(origin: AlertOrigin, bytes: Buffer): Notification {
  const value = parseStrictJson(bytes, MAX_VALUES);
  const all = isObject(value) ? value['alerts'] : null;
  const beyond = Array.isArray(all) ? all.splice(MAX_ALERTS).length : 0;
  const problem = findProblem(value);
  if (problem) {
    const reason = toApiError(problem).message.replace(/\.$/, '');
    throw new ApiError(
      'validation_failed',
      `This is no notification of Alertmanager or Grafana (${reason}): send the default payload.`,
    );
  }
  // The check above has validated it.
  const body = value as { groupKey: string; truncatedAlerts?: number | null; alerts: AlertBody[] };
  const isTooLarge = (alert: AlertBody) => Buffer.byteLength(JSON.stringify(alert)) > MAX_EVENT_BYTES;
  if (bytes.length > MAX_EVENT_BYTES && body.alerts.some(isTooLarge))
    throw new ApiError('body_too_large', 'An alert is larger than 1 MiB.');
  return {
    origin,
    groupKey: body.groupKey,
    truncated: (body.truncatedAlerts ?? 0) + beyond,
    alerts: body.alerts.map(readAlert),
  };
}

function readAlert(body: AlertBody): Alert {
  const endsAtMs = readTime(body.endsAt);
  return {
    fingerprint: body.fingerprint || hashLabels(body.labels),
    isFiring: body.status === 'firing',
    startsAtMs: readTime(body.startsAt) ?? 0,
    endsAtMs,
    body,
  };
}

/** Returns null for a missing time and for the zero time of Go, the year 1. */
function readTime(text: string | undefined): number | null {
  const timeMs = text === undefined ? null : parseIsoTime(text);
  return timeMs === null || timeMs <= 0 ? null : timeMs;
}

function hashLabels(labels: Record<string, string>): string {
  const sorted = Object.entries(labels).toSorted(([left], [right]) => (left < right ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(sorted)).digest('hex').slice(0, 16);
}
