import { HOUR_MS } from '../state/durations.ts';
import { UP } from '../state/side.ts';
import type { Alarm } from './alarm-subject.ts';
import { anomalyOfNewError } from './anomaly.ts';
import type { ErrorDelta } from './count-delta.ts';
import type { IncidentTracker } from './incident-tracker.ts';

/** Maximum new error groups of one outbreak that are reported one by one. */
const MAX_REPORTED_GROUPS = 20;
/** Time without a new error group that ends an outbreak, as for a rise of the counts. */
const QUIET_MS = HOUR_MS;

const ALARM: Alarm = { subject: { kind: 'new-errors' }, side: UP };
const ANY_NEW_ERROR = {
  kind: 'new_kind',
  type: null,
  severity: null,
  source: null,
  fingerprint: null,
} as const;

/** New error groups in a row, none more than an hour after the one before; plain JSON. */
export interface SavedOutbreak {
  lastMs: number;
  groups: number;
}

/** Reports new error groups, all with one alarm. */
export class Outbreak {
  readonly #tracker: IncidentTracker;
  #lastMs: number;
  #groups: number;

  constructor(tracker: IncidentTracker, saved: SavedOutbreak = { lastMs: 0, groups: 0 }) {
    this.#tracker = tracker;
    this.#lastMs = saved.lastMs;
    this.#groups = saved.groups;
  }

  add(error: ErrorDelta, isNoisy: boolean): void {
    const { type, severity, source, fingerprint, atMs } = error;
    const series = { kind: 'new_kind', type, severity, source, fingerprint } as const;
    const anomaly = anomalyOfNewError(error);
    if (isNoisy) {
      this.#tracker.suppress(ALARM.subject, { reason: 'new_kinds_are_usual', series, anomaly }, atMs);
      return;
    }
    this.#lastMs = atMs;
    if (++this.#groups <= MAX_REPORTED_GROUPS) this.#tracker.open({ alarm: ALARM, series, anomaly, atMs });
  }

  /** Ends the outbreak once it has been quiet. */
  advance(atMs: number): void {
    if (this.#groups === 0 || atMs - this.#lastMs <= QUIET_MS) return;
    this.#tracker.close(ALARM, ANY_NEW_ERROR, atMs);
    this.rearm();
  }

  /** Resets the limit of reports; where another incident has new errors, the outbreak goes on until it is quiet. */
  rearm(): void {
    const isOpen = this.#tracker.hasOpenAlarm(({ subject }) => subject.kind === ALARM.subject.kind);
    this.#groups = isOpen ? 1 : 0;
  }

  save(): SavedOutbreak {
    return { lastMs: this.#lastMs, groups: this.#groups };
  }
}
