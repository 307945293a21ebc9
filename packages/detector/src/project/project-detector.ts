import type { HeartbeatChange } from '../heartbeat/heartbeat.ts';
import { BeatWatch, type Heartbeats } from '../heartbeat/heartbeat-monitor.ts';
import {
  type Arrivals,
  LateSources,
  type SavedLateSources,
  type SteadyLateSource,
} from '../lateness/late-sources.ts';
import type { AlarmChange } from '../series/alarm-state.ts';
import { DOWN, UP } from '../state/series-state.ts';
import { type CountRule, isErrorOrWorse, type RiskSettings } from '../types.ts';
import type { ReopenedIncident } from './alarm-grouping.ts';
import { beatFinding, findingOf, kindFinding, type Verdict } from './anomaly.ts';
import type { CountDelta, KindDelta } from './count-delta.ts';
import { nameOfRule, RuleWatch, seriesOfRule, type WatchedRule } from './count-rules.ts';
import { type SavedDesk, VerdictDesk } from './incident-tracker.ts';
import { KindWatch, type SavedKinds } from './new-errors.ts';
import {
  countPayments,
  createPaymentRatio,
  isPayment,
  type PaymentRatio,
  takeRatio,
} from './payment-ratio.ts';
import { type SavedGroup, SeriesGroup } from './series-group.ts';
import { ERRORS, FAILED_PAYMENTS, isTrouble, nameOfEvents, OTHER, TOTAL } from './series-key.ts';
import { MAX_SERIES, type SavedPlaces, SeriesPlaces } from './series-registry.ts';

const STEP_MINUTES = 1;
export const STEP_MS = STEP_MINUTES * 60_000;
/** Counts from further ahead come by a clock that is wrong: they count now. */
export const MAX_AHEAD_STEPS = 60;
/** What takes as much memory as one series, about 4 kB, and what a source of late events takes. */
const KINDS_A_SERIES = 25;
const EARLY_A_SERIES = 20;
const SERIES_A_LATE_SOURCE = 4;
/** New kinds of one outbreak that are told one by one. */
const MAX_TOLD_KINDS = 20;
/** As long as a rise that the counts show is held. */
const KINDS_QUIET_MS = 60 * 60_000;

const KINDS = 'kinds';
const beatsOf = (series: number) => `beats:${series}`;

/**
 * Watches the counts of a project. Counts come as they come, time by `endStepsBefore`, and nothing else: what it
 * decides follows from these calls alone, whenever they are made. It is saved and loaded without a trace.
 */
export class ProjectDetector {
  readonly stepLengthMs = STEP_MS;
  readonly #group: SeriesGroup;
  readonly #places: SeriesPlaces;
  readonly #desk: VerdictDesk;
  readonly #beats: BeatWatch;
  readonly #rules: RuleWatch;
  readonly #kinds: KindWatch;
  readonly #payments: PaymentRatio;
  readonly #lateSources: LateSources;
  #outbreak: { lastMs: number; told: number };
  #settings: RiskSettings;
  /** Of steps that have not begun yet. */
  #early: CountDelta[];
  /** The series that begin with those, by name. */
  readonly #coming = new Set<string>();
  /** Events that belong to incidents which are open already, by their numbers. */
  #raised = new Map<number, number>();
  /** Beginning of the step that runs. */
  #stepMs: number;
  readonly #mayReplace = (series: number) =>
    !this.#desk.isOpen((alarm) => alarm.series === `${series}` || alarm.series === beatsOf(series));
  readonly #onReplaced = (series: number) => this.#beats.forget(series);

  /** @param firstIncident the number of the first incident that it opens */
  constructor(startMs: number, settings: RiskSettings, saved?: SavedProject, firstIncident = 1) {
    this.#settings = saved?.settings ?? settings;
    this.#group = new SeriesGroup(STEP_MINUTES, this.#settings.budget, saved?.group);
    this.#places = new SeriesPlaces(this.#group, saved?.places);
    this.#desk = new VerdictDesk(firstIncident, saved?.desk);
    this.#beats = new BeatWatch(saved?.heartbeats ?? []);
    this.#rules = new RuleWatch(saved?.rules ?? []);
    this.#kinds = new KindWatch(startMs, saved?.kinds ?? null);
    this.#payments = saved?.payments ?? createPaymentRatio();
    this.#lateSources = new LateSources(saved?.lateSources);
    this.#outbreak = saved?.outbreak ?? { lastMs: 0, told: 0 };
    this.#early = saved?.early ?? [];
    this.#stepMs = saved?.stepMs ?? Math.floor(startMs / STEP_MS) * STEP_MS;
    for (const delta of this.#early) this.#expect(delta);
    this.#places.keep(TOTAL);
    this.#rules.setRules(this.#settings.rules);
  }

  /** Beginning of the step that runs: what was counted before it has been judged. */
  get stepMs(): number {
    return this.#stepMs;
  }

  get settings(): RiskSettings {
    return this.#settings;
  }

  /** What it takes in memory, counted in series. */
  get size(): number {
    return (
      this.seriesCount +
      this.#settings.rules.length +
      Math.ceil(this.#kinds.size / KINDS_A_SERIES) +
      Math.ceil(this.#early.length / EARLY_A_SERIES) +
      this.#lateSources.size * SERIES_A_LATE_SOURCE
    );
  }

  /** Series that it tells apart, with those of steps that have not begun yet. */
  get seriesCount(): number {
    return this.#places.size + this.#coming.size;
  }

  /** Up to how many of them it begins new ones. */
  get maxSeries(): number {
    return this.#places.maxSeries;
  }

  /** The numbers of the incidents that are not over. */
  get incidents(): number[] {
    return this.#desk.incidents;
  }

  /** The number of the next incident that it opens. */
  get nextIncident(): number {
    return this.#desk.nextNumber;
  }

  /** Whether the series of these events is told apart already. */
  knows(delta: CountDelta): boolean {
    return this.#places.findKnown(delta) !== null || this.#coming.has(nameOf(delta));
  }

  set(settings: RiskSettings): void {
    if (settings.budget !== this.#settings.budget) this.#group.setBudget(settings.budget);
    this.#settings = settings;
    for (const rule of this.#rules.setRules(settings.rules)) this.#closeRule(rule, this.#stepMs);
  }

  /** From now on no series begins beyond so many, at most `MAX_SERIES`: it takes the place of one that died, or is watched with others. */
  limitSeries(maxSeries: number): void {
    this.#places.limit(maxSeries);
  }

  /**
   * Counts events into the step that runs, or keeps them for the one that they belong to. What comes a step late
   * counts now; what comes later belongs to steps that are over, and would be a burst that never was.
   * @returns whether it was taken
   */
  count(delta: CountDelta): boolean {
    const steps = Math.floor((delta.bucketMs - this.#stepMs) / STEP_MS);
    if (steps < -1) return false;
    if (steps > 0 && steps <= MAX_AHEAD_STEPS) {
      this.#early.push(delta);
      this.#expect(delta);
    } else this.#countNow(steps <= 0 ? delta : { ...delta, bucketMs: this.#stepMs, lastMs: this.#stepMs });
    return true;
  }

  /** Whether events of a source that came so late are judged, by their receipt. */
  judges(source: string | null, lateMs: number): boolean {
    return this.#lateSources.isJudged(source, lateMs);
  }

  /** Whether the lateness of all events of a source is to be told. */
  followsLateness(source: string | null): boolean {
    return this.#lateSources.isFollowed(source);
  }

  /** Takes in how late events came, which `count` is told as well. */
  takeArrivals(arrivals: Arrivals): void {
    for (const { perMinute, errorsPerMinute } of this.#lateSources.take(arrivals)) {
      // What was set aside until now is judged from now on: the sums have to expect it.
      this.#group.raiseTo(0, perMinute * STEP_MINUTES);
      if (errorsPerMinute > 0) this.#group.raiseTo(this.#places.keep(ERRORS), errorsPerMinute * STEP_MINUTES);
    }
  }

  /** The sources that are steadily late, where that has changed since it was asked last; else null. */
  takeSteadyLateSources(): SteadyLateSource[] | null {
    return this.#lateSources.takeSteady();
  }

  /** Takes in that errors of a kind came, which `count` is told as well. */
  see({ atMs: seenMs, ...told }: KindDelta): void {
    const kind = { ...told, atMs: Math.min(seenMs, this.#stepMs + STEP_MS) };
    const news = this.#kinds.see(kind);
    if (news === 'known' || !this.#settings.newKinds) return;
    const { type, severity, source, fingerprint, atMs } = kind;
    const series = { kind: 'new_kind', type, severity, source, fingerprint } as const;
    if (news === 'usual') {
      this.#desk.suppress(KINDS, 'new_kinds_are_usual', series, kindFinding(kind), atMs);
      return;
    }
    this.#outbreak = { lastMs: atMs, told: this.#outbreak.told + 1 };
    if (this.#outbreak.told > MAX_TOLD_KINDS) return;
    this.#desk.open({ series: KINDS, side: UP }, series, kindFinding(kind), atMs);
  }

  /** Judges what has counted since the last look: bursts do not wait for the end of the step. */
  look(): Verdict[] {
    this.#look();
    return this.#desk.take();
  }

  /**
   * Ends each step that is over at a time. All counts of those steps have to have come.
   * @param isKnown false where the service was down or far behind: then their counts say nothing
   */
  endStepsBefore(timeMs: number, isKnown: boolean): Verdict[] {
    while (this.#stepMs + STEP_MS <= timeMs) this.#endStep(isKnown);
    return this.#desk.take();
  }

  /** Leaves out steps of which nothing is known: they would teach nothing. */
  skipTo(timeMs: number): void {
    this.#stepMs = Math.max(this.#stepMs, Math.ceil(timeMs / STEP_MS) * STEP_MS);
  }

  /** Takes in incidents of the project that were opened, in ascending order, in a time whose counts are lost. */
  takeIn(incidents: ReopenedIncident[], atMs: number): void {
    this.#desk.takeIn(incidents, atMs);
  }

  /** A person has resolved an incident: what comes now is judged by itself, but a silence stays told. */
  resolve(incident: number): void {
    for (const { series, side } of this.#desk.dismiss(incident)) {
      if (side === DOWN) continue;
      if (series.startsWith('rule:')) this.#rules.rearm(series);
      else if (series === KINDS) this.#outbreak.told = 0;
      else this.#group.rearm(Number(series));
    }
  }

  /** How many events have come, since this was asked last, that belong to incidents which were open already. */
  takeRaised(): Map<number, number> {
    const raised = this.#raised;
    this.#raised = new Map();
    return raised;
  }

  save(): SavedProject {
    return {
      stepMs: this.#stepMs,
      settings: this.#settings,
      places: this.#places.save(),
      group: this.#group.save(),
      desk: this.#desk.save(),
      heartbeats: this.#beats.save(),
      rules: this.#rules.save(),
      kinds: this.#kinds.save(),
      payments: this.#payments,
      lateSources: this.#lateSources.save(),
      outbreak: this.#outbreak,
      early: this.#early,
    };
  }

  #expect(delta: CountDelta): void {
    if (delta.isLate || delta.isOther || this.#coming.size >= MAX_SERIES) return;
    if (this.#places.findKnown(delta) === null) this.#coming.add(nameOf(delta));
  }

  #countNow(delta: CountDelta): void {
    if (delta.isLate) {
      this.#countLate(delta);
      return;
    }
    this.#lateSources.countJudged(delta.count, isErrorOrWorse(delta.severity));
    const mayBeOld = this.#lateSources.isNewlySteady(delta.source, this.#stepMs);
    const series = delta.isOther
      ? this.#places.keep(OTHER)
      : this.#places.find(delta, mayBeOld, this.#mayReplace, this.#onReplaced);
    const errors = isErrorOrWorse(delta.severity) ? this.#places.keep(ERRORS) : null;
    if (this.#desk.hasIncidents) this.#raise(delta, errors === null ? [0, series] : [0, series, errors]);
    this.#group.count(0, delta.count);
    this.#group.count(series, delta.count);
    if (errors !== null) this.#group.count(errors, delta.count);
    if (isPayment(delta)) {
      this.#places.keep(FAILED_PAYMENTS);
      countPayments(this.#payments, delta);
    }
    for (const { rule, finding } of this.#rules.count(delta)) {
      this.#desk.open({ series: nameOfRule(rule), side: UP }, seriesOfRule(rule), finding, delta.lastMs);
    }
    if (this.#places.keyOf(series).kind !== 'events') return;
    const change = this.#beats.count(series, delta.lastMs, this.#group.levelOf(series));
    if (change) this.#hear(series, change, delta.lastMs);
  }

  /** What came late counts nowhere, but its series are not silent. A new series does not begin with it. */
  #countLate(delta: CountDelta): void {
    this.#group.countLate(0, delta.count);
    const errors = isErrorOrWorse(delta.severity) ? this.#places.findKept(ERRORS) : null;
    if (errors !== null) this.#group.countLate(errors, delta.count);
    const series = delta.isOther ? this.#places.findKept(OTHER) : this.#places.findKnown(delta);
    if (series === null) return;
    this.#group.countLate(series, delta.count);
    const change = this.#beats.stayAlive(series, delta.lastMs);
    if (change) this.#hear(series, change, delta.lastMs);
  }

  #raise(delta: CountDelta, counting: number[]): void {
    const names = [...counting.map(String), ...this.#rules.namesMatching(delta)];
    const isMeant = ({ series, side }: { series: string; side: number }) =>
      side === UP && names.includes(series);
    for (const incident of this.#desk.incidentsWith(isMeant)) {
      this.#raised.set(incident, (this.#raised.get(incident) ?? 0) + delta.count);
    }
  }

  #look(): void {
    this.#group.look(this.#stepMs, (series, change) => this.#judge(series, change));
  }

  #endStep(isKnown: boolean): void {
    const endMs = this.#stepMs + STEP_MS;
    const payments = this.#places.findKept(FAILED_PAYMENTS);
    if (payments !== null) this.#group.measure(payments, takeRatio(this.#payments));
    // A burst is one, whatever is not known of its minute.
    if (!isKnown) this.#look();
    this.#group.endStep(this.#stepMs, isKnown, (series, change) => this.#judge(series, change));
    this.#beats.passTime(
      endMs,
      isKnown,
      (series) => this.#group.shareOf(series),
      (series, change) => this.#hear(series, change, endMs),
    );
    for (const rule of this.#rules.passTime(endMs)) this.#closeRule(rule, endMs);
    if (this.#outbreak.told > 0 && endMs - this.#outbreak.lastMs > KINDS_QUIET_MS) {
      this.#outbreak.told = 0;
      this.#desk.close({ series: KINDS, side: UP }, NEW_KINDS, endMs);
    }
    for (const report of this.#lateSources.passTime(endMs)) this.#desk.report(report, endMs);
    this.#desk.passTime(endMs);
    this.#stepMs = endMs;
    const early = this.#early;
    this.#early = [];
    this.#coming.clear();
    for (const delta of early) this.count(delta);
  }

  #judge(number: number, change: AlarmChange): void {
    const atMs = this.#stepMs + STEP_MS;
    const series = this.#places.keyOf(number);
    if (change.kind === 'closes') {
      this.#desk.close({ series: `${number}`, side: change.side }, series, atMs);
      return;
    }
    const finding = findingOf(
      series,
      this.#group.resolution,
      change,
      this.#group.chanceAWeek(number, change),
    );
    if (change.kind !== 'opens') {
      const reason = change.kind === 'recovers' ? 'recovery' : REASONS[change.reason];
      this.#desk.suppress(`${number}`, reason, series, finding, atMs);
    } else if (change.side === DOWN && (isTrouble(series) || series.kind === 'failed_payments')) {
      this.#group.acceptDrop(number);
      const reason = isTrouble(series) ? 'fewer_errors' : 'fewer_failures';
      this.#desk.suppress(`${number}`, reason, series, finding, atMs);
    } else {
      this.#desk.open({ series: `${number}`, side: change.side }, series, finding, atMs);
    }
  }

  #hear(number: number, change: HeartbeatChange, atMs: number): void {
    const alarm = { series: beatsOf(number), side: DOWN } as const;
    const series = this.#places.keyOf(number);
    if (change.kind === 'returned') this.#desk.close(alarm, series, atMs);
    else if (isTrouble(series))
      this.#desk.suppress(alarm.series, 'fewer_errors', series, beatFinding(change), atMs);
    else this.#desk.open(alarm, series, beatFinding(change), atMs);
  }

  #closeRule(rule: CountRule, atMs: number): void {
    this.#desk.close({ series: nameOfRule(rule), side: UP }, seriesOfRule(rule), atMs);
  }
}

const nameOf = ({ type, severity, source }: CountDelta) => nameOfEvents(type, severity, source);

const REASONS = { 'small-effect': 'small_effect', 'hour-of-week': 'hour_of_week' } as const;
const NEW_KINDS = { kind: 'new_kind', type: null, severity: null, source: null, fingerprint: null } as const;

/** All of a project: what is not bytes is plain JSON. */
export interface SavedProject {
  stepMs: number;
  settings: RiskSettings;
  places: SavedPlaces;
  group: SavedGroup;
  desk: SavedDesk;
  heartbeats: Heartbeats;
  rules: WatchedRule[];
  kinds: SavedKinds;
  payments: PaymentRatio;
  /** Missing in what a program before them saved. */
  lateSources?: SavedLateSources;
  outbreak: { lastMs: number; told: number };
  early: CountDelta[];
}
