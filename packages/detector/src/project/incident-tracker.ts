import type { LateReport } from '../lateness/late-reports.ts';
import { HOUR_MS } from '../state/durations.ts';
import type { RiskSeries, Suppression } from '../types.ts';
import { attach } from './alarm-grouping.ts';
import { type Alarm, type AlarmSubject, keyOf } from './alarm-subject.ts';
import type { Anomaly, DetectorEvent } from './anomaly.ts';
import type { OpeningAlarm, Surroundings } from './incident-relations.ts';
import {
  adopt,
  createOpenIncidents,
  detach,
  dismiss,
  type FormerIncidents,
  type OpenIncident,
  type OpenIncidents,
  takeEnded,
  takeOut,
} from './open-incidents.ts';

/** Time within which a suppression is reported once. */
const REPORTED_MS = HOUR_MS;

export interface SavedIncidentTracker {
  open: OpenIncidents;
  pending: DetectorEvent[];
  /** Last reports of suppressions: [subject and reason, time]. */
  reported: [string, number][];
}

/** Anomaly that opened no alarm, and the reason. */
export interface SuppressedAnomaly {
  reason: Suppression;
  series: RiskSeries;
  anomaly: Anomaly;
}

/** Groups a project's alarms into incidents, and keeps their changes, in order, until these are taken. */
export class IncidentTracker {
  readonly #incidents: OpenIncidents;
  #pending: DetectorEvent[];
  readonly #reported: Map<string, number>;
  readonly #surroundings: Surroundings;

  constructor(
    { firstIncident, surroundings }: { firstIncident: number; surroundings: Surroundings },
    saved?: SavedIncidentTracker,
  ) {
    this.#surroundings = surroundings;
    this.#incidents = saved?.open ?? createOpenIncidents(firstIncident);
    this.#pending = saved?.pending ?? [];
    this.#reported = new Map(saved?.reported);
  }

  open(opening: OpeningAlarm): void {
    const { series, anomaly, atMs } = opening;
    const { incident, isNew } = attach(this.#incidents, opening, this.#surroundings);
    const kind = isNew ? 'opens' : 'attaches';
    this.#pending.push({ kind, incident: incident.number, series, anomaly, atMs });
  }

  /** Reports an open alarm again, which is worse by now. */
  reportAgain(incident: number, { series, anomaly, atMs }: Omit<OpeningAlarm, 'alarm'>): void {
    this.#pending.push({ kind: 'attaches', incident, series, anomaly, atMs });
  }

  close(alarm: Alarm, series: RiskSeries, atMs: number): void {
    for (const incident of detach(this.#incidents, alarm)) {
      this.#pending.push({ kind: 'detaches', incident, series, atMs });
    }
  }

  suppress(subject: AlarmSubject, { reason, series, anomaly }: SuppressedAnomaly, atMs: number): void {
    const about = `${keyOf(subject)} ${reason}`;
    if (atMs - (this.#reported.get(about) ?? 0) < REPORTED_MS) return;
    this.#reported.set(about, atMs);
    this.#pending.push({ kind: 'suppressed', reason, series, anomaly, atMs });
  }

  reportLate(late: LateReport, atMs: number): void {
    this.#pending.push({ kind: 'late', late, atMs });
  }

  /** Ends incidents, and forgets suppressions that may be reported again. */
  advance(atMs: number): void {
    for (const incident of takeEnded(this.#incidents, atMs))
      this.#pending.push({ kind: 'ends', incident, atMs });
    for (const [about, reportedMs] of this.#reported) {
      if (atMs - reportedMs >= REPORTED_MS) this.#reported.delete(about);
    }
  }

  /** Ends those of the incidents whose alarms have all closed: later ones are not attached to them. */
  endClosed(incidents: ReadonlySet<OpenIncident>, atMs: number): void {
    const isClosed = (incident: OpenIncident) => incident.open.length === 0 && incidents.has(incident);
    for (const { number } of takeOut(this.#incidents, isClosed))
      this.#pending.push({ kind: 'ends', incident: number, atMs });
  }

  /** Removes an incident that a person has resolved. @returns its alarms that were still open */
  dismiss(incident: number): Alarm[] {
    return dismiss(this.#incidents, incident);
  }

  adopt(former: FormerIncidents): Map<number, number> {
    return adopt(this.#incidents, former);
  }

  hasOpenAlarm(matches: (alarm: Alarm) => boolean): boolean {
    return this.openIncidents.some(({ open }) => open.some(matches));
  }

  /** All incidents that have not ended. */
  get openIncidents(): readonly OpenIncident[] {
    return this.#incidents.incidents;
  }

  /** Number of the next incident. */
  get nextNumber(): number {
    return this.#incidents.nextNumber;
  }

  take(): DetectorEvent[] {
    const taken = this.#pending;
    this.#pending = [];
    return taken;
  }

  save(): SavedIncidentTracker {
    return { open: this.#incidents, pending: this.#pending, reported: [...this.#reported] };
  }
}
