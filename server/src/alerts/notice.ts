import type { Severity } from '../events/severity.ts';
import type { IncidentLink } from '../incidents/schema.ts';

/** System that sends alerts. */
export type AlertOrigin = 'alertmanager' | 'grafana';

/** Alert group of another system, as one notification shows it. */
export interface AlertNotice {
  origin: AlertOrigin;
  /** SHA-256 of the origin and the key of the group as sent, hexadecimal: its labels may hold secrets, and identify it. */
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
