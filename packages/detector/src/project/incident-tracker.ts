import type { LateReport } from '../lateness/late-sources.ts';
import type { RiskSeries, Suppression } from '../types.ts';
import {
  type Alarm,
  createBook,
  dismiss,
  type IncidentBook,
  join,
  leave,
  type ReopenedIncident,
  takeEnded,
  takeIn,
} from './alarm-grouping.ts';
import type { Finding, Verdict } from './anomaly.ts';

/** What is suppressed is told once in so long. */
const TOLD_MS = 60 * 60_000;

/** Plain JSON. */
export interface SavedDesk {
  book: IncidentBook;
  pending: Verdict[];
  /** When a suppression was told last: [series and reason, time]. */
  told: [string, number][];
}

/** Turns a project's alarms into what its incidents have to know, in the order in which it happens. */
export class VerdictDesk {
  readonly #book: IncidentBook;
  #pending: Verdict[];
  readonly #told: Map<string, number>;

  constructor(firstIncident: number, saved?: SavedDesk) {
    this.#book = saved?.book ?? createBook(firstIncident);
    this.#pending = saved?.pending ?? [];
    this.#told = new Map(saved?.told);
  }

  open(alarm: Alarm, series: RiskSeries, finding: Finding, atMs: number): void {
    const { incident, isNew } = join(this.#book, alarm, atMs);
    const kind = isNew ? 'opens' : 'joins';
    this.#pending.push({ kind, incident: incident.number, series, finding, atMs });
  }

  close(alarm: Alarm, series: RiskSeries, atMs: number): void {
    const incident = leave(this.#book, alarm);
    if (incident !== null) this.#pending.push({ kind: 'leaves', incident, series, atMs });
  }

  suppress(name: string, reason: Suppression, series: RiskSeries, finding: Finding, atMs: number): void {
    const about = `${name} ${reason}`;
    if (atMs - (this.#told.get(about) ?? 0) < TOLD_MS) return;
    this.#told.set(about, atMs);
    this.#pending.push({ kind: 'suppressed', reason, series, finding, atMs });
  }

  report(late: LateReport, atMs: number): void {
    this.#pending.push({ kind: 'late', late, atMs });
  }

  /** Incidents end, and what was told is forgotten. */
  passTime(atMs: number): void {
    for (const incident of takeEnded(this.#book, atMs)) this.#pending.push({ kind: 'ends', incident, atMs });
    for (const [about, toldMs] of this.#told) if (atMs - toldMs >= TOLD_MS) this.#told.delete(about);
  }

  /** A person has resolved the incident. @returns its alarms that were still open */
  dismiss(incident: number): Alarm[] {
    return dismiss(this.#book, incident);
  }

  takeIn(incidents: ReopenedIncident[], atMs: number): void {
    takeIn(this.#book, incidents, atMs);
  }

  isOpen(isMeant: (alarm: Alarm) => boolean): boolean {
    return this.#book.incidents.some(({ open }) => open.some(isMeant));
  }

  /** The numbers of the incidents with such an alarm that is open. */
  incidentsWith(isMeant: (alarm: Alarm) => boolean): number[] {
    return this.#book.incidents.filter(({ open }) => open.some(isMeant)).map(({ number }) => number);
  }

  get hasIncidents(): boolean {
    return this.#book.incidents.length > 0;
  }

  /** The numbers of all incidents that are not over. */
  get incidents(): number[] {
    return this.#book.incidents.map(({ number }) => number);
  }

  /** The number of the next incident. */
  get nextNumber(): number {
    return this.#book.nextNumber;
  }

  take(): Verdict[] {
    const taken = this.#pending;
    this.#pending = [];
    return taken;
  }

  save(): SavedDesk {
    return { book: this.#book, pending: this.#pending, told: [...this.#told] };
  }
}
