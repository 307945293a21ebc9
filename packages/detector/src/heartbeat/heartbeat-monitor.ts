import { RecordTable, type SavedRecords } from '../state/record-table.ts';
import type { Norm } from './empty-heartbeats.ts';
import {
  type Advance,
  advanceHeartbeat,
  type HeartbeatChange,
  nextDue,
  passQuietTime,
  quietUntil,
  recordEvent,
  recordLateEvent,
} from './heartbeat.ts';
import { HEARTBEAT_FLOATS, HeartbeatState } from './heartbeat-state.ts';

/** Maximum events a minute of a sender: the counts of a more frequent one show a silence within a minute or two. */
const MAX_EVENTS_PER_MINUTE = 30;

/** Norms of the series of a project. */
export interface SeriesNorms {
  /** False alarms a week. */
  budgetShareOf: (series: number) => number;
  /** Least rate that level and time of day make normal, in events a minute. */
  lowestRateOf: (series: number, timeMs: number) => number;
}

/** Returns the norm of the series that `of` names when a value is needed: mostly, none is. */
const normOf = (norms: SeriesNorms, of: { series: number }): Norm => ({
  get budgetPerWeek() {
    return norms.budgetShareOf(of.series);
  },
  lowestRate: (timeMs) => norms.lowestRateOf(of.series, timeMs),
});

/** Heartbeats of those series of a project that are rare enough to need them. */
export class HeartbeatMonitor {
  /** Heartbeats by series. */
  readonly #records: RecordTable;
  /** Times by series until which nothing need be done if nothing comes; the heartbeat may lack the time since. */
  readonly #quietUntilMs: number[] = [];
  #clockMs = 0;
  /** View that is moved to the heartbeat that is needed. */
  readonly #view: HeartbeatState;

  constructor(saved?: SavedRecords) {
    this.#records = new RecordTable(HEARTBEAT_FLOATS, saved);
    this.#view = new HeartbeatState({ buffer: this.#records.buffer, first: 0 });
  }

  /** @param level expected events a minute of the series */
  recordEvent(
    series: number,
    { timeMs, events, level }: { timeMs: number; events: number; level: number },
  ): HeartbeatChange | null {
    const heartbeat = this.#get(series);
    if (level > MAX_EVENTS_PER_MINUTE) {
      const wasOverdue = heartbeat?.isOverdue === true;
      this.forget(series);
      return wasOverdue ? { kind: 'returned' } : null;
    }
    return recordEvent(heartbeat ?? this.#add(series, timeMs), timeMs, events);
  }

  /** Records an event that came too late for a heartbeat, but shows that its sender is not silent. */
  recordLateEvent(series: number, timeMs: number): HeartbeatChange | null {
    const heartbeat = this.#get(series);
    return heartbeat ? recordLateEvent(heartbeat, timeMs) : null;
  }

  /** Forgets a series, whose index belongs to another one from now on. */
  forget(series: number): void {
    if (!this.#records.has(series)) return;
    this.#quietUntilMs[series] = 0;
    this.#records.remove(series);
  }

  /** @param isUnlearned true for series that do not know the time; missing: for none */
  advance(
    { timeMs, isKnown: isKnownToAll }: Advance,
    norms: SeriesNorms,
    report: (series: number, change: HeartbeatChange) => void,
    isUnlearned?: (series: number) => boolean,
  ): void {
    const of = { series: 0 };
    const norm = normOf(norms, of);
    for (let series = 0; series < this.#records.size; series++) {
      const quietUntilMs = this.#quietUntilMs[series] ?? 0;
      if (!this.#records.has(series)) continue;
      const isKnown = isKnownToAll && !isUnlearned?.(series);
      if (isKnown && timeMs < quietUntilMs) continue;
      const heartbeat = this.#at(series);
      if (quietUntilMs > 0) passQuietTime(heartbeat, this.#clockMs);
      of.series = series;
      const change = advanceHeartbeat(heartbeat, { timeMs, isKnown }, norm);
      this.#quietUntilMs[series] = isKnown ? quietUntil(heartbeat, timeMs) : 0;
      if (change) report(series, change);
    }
    this.#clockMs = timeMs;
  }

  /** Returns when the next event of a series is overdue; null where it is not known as a regular sender. */
  nextDueOf(series: number, norms: SeriesNorms): { usualMinutes: number; dueMs: number } | null {
    const heartbeat = this.#get(series);
    return heartbeat ? nextDue(heartbeat, normOf(norms, { series })) : null;
  }

  save(): SavedRecords {
    for (const series of this.#records.indices()) this.#upToDate(series);
    return this.#records.save();
  }

  #get(series: number): HeartbeatState | undefined {
    return this.#records.has(series) ? this.#upToDate(series) : undefined;
  }

  /** Returns a heartbeat that is up to date, and is evaluated at the end of the step. */
  #upToDate(series: number): HeartbeatState {
    const heartbeat = this.#at(series);
    if (this.#quietUntilMs[series]) passQuietTime(heartbeat, this.#clockMs);
    this.#quietUntilMs[series] = 0;
    heartbeat.paused = 0;
    return heartbeat;
  }

  /** Returns the heartbeat of a series that has one, until this is called with another series. */
  #at(series: number): HeartbeatState {
    this.#view.first = this.#records.firstOf(series);
    return this.#view;
  }

  #add(series: number, timeMs: number): HeartbeatState {
    this.#records.add(series);
    this.#quietUntilMs[series] = 0;
    return this.#at(series).begin(timeMs);
  }
}
