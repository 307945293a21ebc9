import { hash } from 'node:crypto';
import type { Severity } from '../events/severity.ts';
import type { IncidentLink } from '../incidents/schema.ts';

export const ALERT_ORIGINS = ['alertmanager', 'grafana'] as const;

/** System that sends alerts. */
export type AlertOrigin = (typeof ALERT_ORIGINS)[number];

/** Returns `groupHash` of an alert group: its labels may hold secrets, and identify it. */
export function hashGroup(origin: AlertOrigin, groupKey: string): string {
  return hash('sha256', JSON.stringify([origin, groupKey]), 'hex');
}

/** Alert group of another system, as one notification shows it. */
export interface AlertNotice {
  origin: AlertOrigin;
  /** SHA-256 of the origin and the key of the group as sent, hexadecimal. */
  groupHash: string;
  /** Number of alerts that are left out. */
  truncated: number;
  listed: ListedAlert[];
}

/** Alert in a notification; times in milliseconds. */
export interface ListedAlert {
  fingerprint: string;
  isFiring: boolean;
  startsAtMs: number;
  /** Null: not known. */
  endsAtMs: number | null;
  title: string;
  type: string;
  severity: Severity;
  source: string | null;
  /** Folded name; null: that of the project. */
  environment: string | null;
  links: IncidentLink[];
}
