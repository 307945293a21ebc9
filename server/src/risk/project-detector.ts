import type { Severity } from '../events/severity.ts';
import type { Change, Reservation, Sighting } from './alarm.ts';
import { BeatWatch, type Heartbeats } from './beat-watch.ts';
import type { HeartbeatChange, MissedBeat } from './heartbeat.ts';
import { createBook, forgetEnded, type IncidentBook, join, leave } from './merging.ts';
import { type SavedGroup, SeriesGroup } from './series-group.ts';
import { nameOf, type SeriesKey, weightOf } from './series-key.ts';
import { DOWN, type Side } from './series-memory.ts';

/** Events of one series in a bucket of a few seconds. */
export interface CountDelta {
  type: string;
  severity: Severity;
  source: string | null;
  bucketMs: number;
  count: number;
  /** Receipt of the newest of them. */
  lastMs: number;
}

/** What the project's incidents have to know. `incident`: its number within the project. */
export type Verdict = { series: SeriesKey; atMs: number } & (
  | ({ kind: 'opens' | 'joins'; incident: number } & Sighting)
  /** The last alarm of the incident has closed. */
  | { kind: 'ends'; incident: number; side: Side }
  /** One of several has. */
  | { kind: 'leaves'; incident: number; side: Side }
  /** A regular sender has missed its beats, and is back. */
  | ({ kind: 'missed'; incident: number; isNew: boolean } & Pick<
      MissedBeat,
      'usualMinutes' | 'elapsedMinutes'
    >)
  | { kind: 'returned'; incident: number; isLast: boolean }
  | ({ kind: 'recovers' } & Sighting)
  | ({ kind: 'reserved'; reservation: Reservation } & Sighting)
);

const STEP_MINUTES = 1;
const STEP_MS = STEP_MINUTES * 60_000;
/** Series of a project that are told apart; what comes beyond them is watched as one. */
export const MAX_SERIES = 500;
/** The alarms of a series' beats are told apart from those of its counts. */
const BEATS = 1_000_000;
/** A longer gap is as good as a new beginning. */
const MAX_GAP_STEPS = 10_080;

/**
 * Watches the counts of a project. Counts come as they come, time by `endStepsBefore`, and nothing else: what it
 * decides follows from these calls alone, whenever they are made. It is saved and loaded without a trace.
 */
export class ProjectDetector {
  readonly #group: SeriesGroup;
  readonly #keys: SeriesKey[];
  readonly #numbers: Map<string, number>;
  readonly #book: IncidentBook;
  readonly #beats: BeatWatch;
  /** What was found while counting, to be told at the next look. */
  #pending: Verdict[];
  /** Beginning of the step that runs. */
  #stepMs: number;

  constructor(startMs: number, budgetAWeek: number, saved?: SavedProject) {
    this.#group = new SeriesGroup(STEP_MINUTES, budgetAWeek, saved?.group);
    this.#keys = saved?.keys ?? [];
    this.#numbers = new Map(this.#keys.map((key, number) => [nameOf(key), number]));
    this.#book = saved?.book ?? createBook();
    this.#beats = new BeatWatch(saved?.heartbeats ?? []);
    this.#pending = saved?.pending ?? [];
    this.#stepMs = saved?.stepMs ?? Math.floor(startMs / STEP_MS) * STEP_MS;
    if (!saved) this.#add({ kind: 'total' });
  }

  /** Beginning of the step that runs: what was counted before it has been judged. */
  get stepMs(): number {
    return this.#stepMs;
  }

  setBudget(budgetAWeek: number): void {
    this.#group.setBudget(budgetAWeek);
  }

  /**
   * Counts events into the step that runs. What comes a step late counts there too; what comes later still belongs
   * to steps that are over, and would be a burst that never was.
   * @returns whether it was counted
   */
  count(delta: CountDelta): boolean {
    if (delta.bucketMs < this.#stepMs - STEP_MS) return false;
    this.#group.count(0, delta.count);
    const series = this.#find(delta);
    this.#group.count(series, delta.count);
    const change = this.#beats.count(series, delta.lastMs, this.#group.levelOf(series));
    if (change && this.#keys[series]?.kind === 'events')
      this.#hear(this.#pending, series, change, delta.lastMs);
    return true;
  }

  /** Judges what has counted since the last look: bursts do not wait for the end of the step. */
  look(): Verdict[] {
    const verdicts = this.#takePending();
    this.#group.look(this.#stepMs, (series, change) => this.#judge(verdicts, series, change));
    return verdicts;
  }

  /**
   * Ends each step that is over at a time. All counts of those steps have to have come.
   * @param isKnown false where the service was down or far behind: then their counts say nothing
   */
  endStepsBefore(timeMs: number, isKnown: boolean): Verdict[] {
    const verdicts = this.#takePending();
    const ended = Math.floor((timeMs - this.#stepMs) / STEP_MS);
    if (ended > MAX_GAP_STEPS) this.#stepMs += (ended - MAX_GAP_STEPS) * STEP_MS;
    for (; this.#stepMs + STEP_MS <= timeMs; this.#stepMs += STEP_MS) {
      this.#group.endStep(this.#stepMs, isKnown, (series, change) => this.#judge(verdicts, series, change));
      const endMs = this.#stepMs + STEP_MS;
      const shareOf = (series: number) => this.#group.shareOf(series);
      this.#beats.passTime(endMs, isKnown, shareOf, (series, change) =>
        this.#hear(verdicts, series, change, endMs),
      );
    }
    forgetEnded(this.#book, this.#stepMs);
    return verdicts;
  }

  save(): SavedProject {
    return {
      stepMs: this.#stepMs,
      keys: this.#keys,
      book: this.#book,
      group: this.#group.save(),
      heartbeats: this.#beats.save(),
      pending: this.#pending,
    };
  }

  #judge(verdicts: Verdict[], number: number, change: Change): void {
    const atMs = this.#stepMs;
    const series = this.#keys[number] as SeriesKey;
    if (change.kind === 'closes') {
      const left = leave(this.#book, { series: number, side: change.side });
      if (!left) return;
      const kind = left.isLast ? 'ends' : 'leaves';
      verdicts.push({ kind, incident: left.incident.number, side: change.side, series, atMs });
    } else if (change.kind === 'opens') {
      const { incident, isNew } = join(this.#book, { series: number, side: change.side, atMs });
      verdicts.push({ ...change, kind: isNew ? 'opens' : 'joins', incident: incident.number, series, atMs });
    } else {
      verdicts.push({ ...change, series, atMs });
    }
  }

  #hear(verdicts: Verdict[], number: number, change: HeartbeatChange, atMs: number): void {
    const alarm = { series: BEATS + number, side: DOWN as Side, atMs };
    const series = this.#keys[number] as SeriesKey;
    if (change.kind === 'missed') {
      const { incident, isNew } = join(this.#book, alarm);
      verdicts.push({ ...change, incident: incident.number, isNew, series, atMs });
      return;
    }
    const left = leave(this.#book, alarm);
    if (left) {
      verdicts.push({ kind: 'returned', incident: left.incident.number, isLast: left.isLast, series, atMs });
    }
  }

  #takePending(): Verdict[] {
    const pending = this.#pending;
    this.#pending = [];
    return pending;
  }

  #find({ type, severity, source }: CountDelta): number {
    const key: SeriesKey = { kind: 'events', type, severity, source };
    const known = this.#numbers.get(nameOf(key));
    if (known !== undefined) return known;
    if (this.#keys.length < MAX_SERIES) return this.#add(key);
    return this.#numbers.get('other') ?? this.#add({ kind: 'other' });
  }

  #add(key: SeriesKey): number {
    const number = this.#group.add(weightOf(key, this.#keys.length));
    this.#group.setWeight(0, weightOf({ kind: 'total' }, number));
    this.#keys.push(key);
    this.#numbers.set(nameOf(key), number);
    return number;
  }
}

/** All of a project: what is not bytes is plain JSON. */
export interface SavedProject {
  stepMs: number;
  keys: SeriesKey[];
  book: IncidentBook;
  group: SavedGroup;
  heartbeats: Heartbeats;
  pending: Verdict[];
}
