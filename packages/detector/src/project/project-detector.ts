import { HeartbeatMonitor, type Heartbeats } from '../heartbeat/heartbeat-monitor.ts';
import {
  type Arrivals,
  LateSources,
  type SavedLateSources,
  type SteadyLateSource,
} from '../lateness/late-sources.ts';
import { isCount } from '../state/count.ts';
import type { CoarseStep } from '../state/resolution.ts';
import { DOWN, UP } from '../state/side.ts';
import type { RiskSettings } from '../types.ts';
import type { ReopenedIncident } from './alarm-grouping.ts';
import { AlarmReporter, type Outbreak } from './alarm-reporter.ts';
import { type Alarm, type AlarmSubject, isSameAlarm, unknownSubject } from './alarm-subject.ts';
import type { DetectorEvent } from './anomaly.ts';
import type { CountDelta, ErrorDelta } from './count-delta.ts';
import { type CountedRule, CountRules } from './count-rules.ts';
import { EarlyCounts } from './early-counts.ts';
import { setErrorShares } from './error-traffic.ts';
import { EventCounter } from './event-counter.ts';
import { IncidentTracker, type SavedIncidentTracker } from './incident-tracker.ts';
import { NewErrorDetector, type SavedErrorGroups } from './new-errors.ts';
import { createPaymentCounts, outcomesOf, type PaymentCounts, resetPayments } from './payment-counts.ts';
import { type SavedGroup, SeriesGroup } from './series-group.ts';
import { ERRORS, FAILED_PAYMENTS, TOTAL } from './series-key.ts';
import { type SavedRegistry, SeriesRegistry } from './series-registry.ts';
import { type SavedShare, type ShareContext, ShareMonitor } from './share-monitor.ts';
import { type SavedSparseSeries, SparseSeries } from './sparse-series.ts';
import { type WatchedSeries, withoutImpossible } from './watched-series.ts';

const STEP_MINUTES = 1;
export const STEP_MS = STEP_MINUTES * 60_000;
/** Counts from further ahead come by a clock that is wrong: they count now. */
export const MAX_AHEAD_STEPS = 60;
/** What takes as much memory as one series, about 4 kB; and how many series a source of late events is worth. */
const ERROR_GROUPS_PER_SERIES = 25;
/** The coarse steps of so many. */
const SPARSE_PER_SERIES = 1.5;
const EARLY_COUNTS_PER_SERIES = 20;
const SERIES_PER_LATE_SOURCE = 4;

/** All of a project, as `snapshot.ts` saves it. */
export interface SavedProject {
  stepMs: number;
  settings: RiskSettings;
  registry: SavedRegistry;
  group: SavedGroup;
  incidents: SavedIncidentTracker;
  heartbeats: Heartbeats;
  rules: CountedRule[];
  errorGroups: SavedErrorGroups;
  payments: PaymentCounts;
  /** Missing in what a program before them saved. */
  shares?: SavedShare[];
  /** Missing in what a program before them saved. */
  lateSources?: SavedLateSources;
  outbreak: Outbreak;
  early: CountDelta[];
  /** Missing in what a program before it saved: then its series start without a past. */
  sparse?: SavedSparseSeries;
}

/**
 * Watches the counts of a project. Its input is counts, whenever they come, and time, by `endStepsBefore`; its decisions
 * follow from these calls alone. Saving and loading are lossless.
 */
export class ProjectDetector {
  readonly stepLengthMs = STEP_MS;
  readonly #group: SeriesGroup;
  readonly #sparse: SparseSeries;
  readonly #registry: SeriesRegistry;
  readonly #tracker: IncidentTracker;
  readonly #reporter: AlarmReporter;
  readonly #heartbeats: HeartbeatMonitor;
  readonly #rules: CountRules;
  readonly #newErrors: NewErrorDetector;
  readonly #payments: PaymentCounts;
  readonly #shares: ShareMonitor;
  readonly #lateSources: LateSources;
  readonly #early: EarlyCounts;
  #settings: RiskSettings;
  readonly #counter: EventCounter;
  /** Beginning of the step that runs. */
  #stepMs: number;

  /** @param firstIncident the number of the first incident that it opens */
  constructor(startMs: number, settings: RiskSettings, saved?: SavedProject, firstIncident = 1) {
    this.#settings = saved?.settings ?? settings;
    this.#group = new SeriesGroup(STEP_MINUTES, this.#settings.budget, saved?.group);
    const isCommonType = (type: string) => this.#registry.isCommonType(type);
    this.#tracker = new IncidentTracker({ firstIncident, isCommonType }, saved?.incidents);
    this.#heartbeats = new HeartbeatMonitor(saved?.heartbeats ?? []);
    const mayReplace = (index: number) => !this.#tracker.hasOpenAlarm(({ subject }) => isOf(subject, index));
    this.#shares = new ShareMonitor(saved?.shares);
    const onReplaced = (index: number) => {
      this.#shares.forget(index);
      this.#heartbeats.forget(index);
      this.#sparse.remove(index);
    };
    const isCounted = (index: number) => this.#registry.seriesAt(index).kind !== 'failed_payments';
    const mayRemove = (index: number) =>
      !this.#tracker.hasOpenAlarm(
        (alarm) => (alarm.coarseStep !== undefined || alarm.isSilence === true) && isOf(alarm.subject, index),
      );
    const hooks = { isCounted, mayRemove };
    this.#sparse = new SparseSeries(this.#group, this.#settings.budget, hooks, saved?.sparse);
    this.#registry = new SeriesRegistry(this.#group, { mayReplace, onReplaced }, saved?.registry);
    const parts = {
      tracker: this.#tracker,
      registry: this.#registry,
      group: this.#group,
      sparse: this.#sparse,
      shares: this.#shares,
    };
    this.#reporter = new AlarmReporter(parts, saved?.outbreak);
    this.#rules = new CountRules(saved?.rules ?? []);
    this.#newErrors = new NewErrorDetector(startMs, saved?.errorGroups ?? null);
    this.#payments = saved?.payments ?? createPaymentCounts();
    this.#lateSources = new LateSources(saved?.lateSources);
    this.#early = new EarlyCounts(this.#registry, saved?.early);
    this.#counter = new EventCounter({
      ...parts,
      reporter: this.#reporter,
      heartbeats: this.#heartbeats,
      rules: this.#rules,
      payments: this.#payments,
      lateSources: this.#lateSources,
    });
    this.#stepMs = saved?.stepMs ?? Math.floor(startMs / STEP_MS) * STEP_MS;
    this.#registry.ensure(TOTAL);
    this.#rules.setRules(this.#settings.rules);
    if (saved && !saved.shares) this.#closeFormerShare();
  }

  /** Beginning of the step that runs: what was counted before it has been evaluated. */
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
      Math.ceil(this.#sparse.size / SPARSE_PER_SERIES) +
      this.#settings.rules.length +
      Math.ceil(this.#newErrors.size / ERROR_GROUPS_PER_SERIES) +
      Math.ceil(this.#early.size / EARLY_COUNTS_PER_SERIES) +
      this.#lateSources.size * SERIES_PER_LATE_SOURCE
    );
  }

  /** Series that it tells apart, with those of steps that have not begun yet. */
  get seriesCount(): number {
    return this.#registry.size + this.#early.newSeries;
  }

  /** Up to how many of them it begins new ones. */
  get maxSeries(): number {
    return this.#registry.maxSeries;
  }

  /** The numbers of the incidents that are not over. */
  get incidents(): number[] {
    return this.#tracker.incidents;
  }

  /** The number of the next incident that it opens. */
  get nextIncident(): number {
    return this.#tracker.nextNumber;
  }

  /** Whether these events have a series of their own already. */
  hasSeries(delta: CountDelta): boolean {
    return this.#registry.indexOfEvents(delta) !== null || this.#early.has(delta);
  }

  set(settings: RiskSettings): void {
    if (settings.budget !== this.#settings.budget) {
      this.#group.setBudget(settings.budget);
      this.#sparse.setBudget(settings.budget);
    }
    this.#settings = settings;
    for (const rule of this.#rules.setRules(settings.rules)) this.#reporter.onRuleOver(rule, this.#stepMs);
  }

  /** From now on no series begins beyond so many, at most `MAX_SERIES`: it takes the place of one that died, or is watched with others. */
  limitSeries(maxSeries: number): void {
    this.#registry.limit(maxSeries);
  }

  /**
   * Counts events into the step that runs, or keeps them for the one that they belong to. What comes a step late
   * counts now; what comes later belongs to steps that are over, and would be a burst that never was. What is no count
   * (`isCount`: NaN, negative, infinite, above 10¹²) or has no time is refused, and changes nothing.
   * @returns whether it was taken
   */
  count(delta: CountDelta): boolean {
    if (!isCount(delta.count) || !Number.isFinite(delta.bucketMs) || !Number.isFinite(delta.lastMs))
      return false;
    const steps = Math.floor((delta.bucketMs - this.#stepMs) / STEP_MS);
    if (steps < -1) return false;
    if (steps > 0 && steps <= MAX_AHEAD_STEPS) {
      this.#early.add(delta);
    } else
      this.#counter.count(
        steps <= 0 ? delta : { ...delta, bucketMs: this.#stepMs, lastMs: this.#stepMs },
        this.#stepMs,
      );
    return true;
  }

  /** Whether events of a source that came so late are judged, by their receipt. */
  isEvaluated(source: string | null, lateMs: number, receivedMs = this.#stepMs): boolean {
    return this.#lateSources.isEvaluated(source, lateMs, receivedMs);
  }

  /** Whether the lateness of all events of a source is needed. */
  followsLateness(source: string | null): boolean {
    return this.#lateSources.isFollowed(source);
  }

  /** Records how late events came; `count` receives the same events. */
  recordArrivals(arrivals: Arrivals): void {
    for (const { perMinute, errorsPerMinute } of this.#lateSources.take(arrivals)) {
      // What was set aside until now is judged from now on: the sums have to expect it.
      this.#raiseLevelTo(0, perMinute);
      if (errorsPerMinute > 0) this.#raiseLevelTo(this.#registry.ensure(ERRORS), errorsPerMinute);
    }
  }

  /** The sources that are steadily late, where that has changed since it was asked last; else null. */
  takeSteadyLateSources(): SteadyLateSource[] | null {
    return this.#lateSources.takeSteady();
  }

  /** Records an occurrence of an error group; the same events are also counted. */
  recordError({ atMs: seenMs, ...occurrence }: ErrorDelta): void {
    const error = { ...occurrence, atMs: Math.min(seenMs, this.#stepMs + STEP_MS) };
    const novelty = this.#newErrors.recordError(error);
    if (novelty === 'known' || !this.#settings.newKinds) return;
    this.#reporter.onNewError(error, novelty === 'noisy');
  }

  /** Evaluates what has counted since the last time: bursts do not wait for the end of the step. */
  evaluatePartialStep(): DetectorEvent[] {
    this.#evaluatePartialStep();
    return this.#tracker.take();
  }

  /**
   * Ends each step that is over at a time. All counts of those steps have to have come.
   * @param isKnown false where the service was down or far behind: then their counts say nothing
   */
  endStepsBefore(timeMs: number, isKnown: boolean): DetectorEvent[] {
    while (this.#stepMs + STEP_MS <= timeMs) this.#endStep(isKnown);
    return this.#tracker.take();
  }

  /** Skips steps without known counts: they would teach nothing. */
  skipTo(timeMs: number): void {
    const toMs = Math.max(this.#stepMs, Math.ceil(timeMs / STEP_MS) * STEP_MS);
    this.#group.skip(this.#stepMs, toMs);
    this.#sparse.skip(this.#stepMs, toMs, (step, index, change) =>
      this.#reporter.onSeriesChange(index, change, toMs, step),
    );
    this.#reporter.reportSums();
    this.#stepMs = toMs;
  }

  /** Takes in incidents of the project that were opened, in ascending order, in a time whose counts are lost. */
  adopt(incidents: ReopenedIncident[], atMs: number): void {
    this.#tracker.adopt(incidents, atMs);
  }

  /** A person has resolved an incident: later events are evaluated by themselves, but a silence stays reported. */
  resolve(incident: number): void {
    for (const { subject, side } of this.#tracker.dismiss(incident)) {
      if (side === DOWN) continue;
      this.#rearm(subject);
    }
  }

  /** How many events have come, since this was asked last, that belong to incidents which were open already. */
  takeAdditionalEvents(): Map<number, number> {
    return this.#counter.takeAdditional();
  }

  /** How each series is watched at this moment, in the order of their first events. */
  describeSeries(): WatchedSeries[] {
    return Array.from({ length: this.#registry.size }, (_, index): WatchedSeries => {
      const series = this.#registry.seriesAt(index);
      return {
        series,
        perMinute: this.#group.levelOf(index) / STEP_MINUTES,
        dispersion: this.#group.dispersionOf(index),
        lastEventMs: this.#registry.lastEventMsOf(index),
        opening: withoutImpossible(series, [
          ...this.#group.openingCountsOf(index, this.#stepMs),
          ...this.#sparse.openingCountsOf(index, this.#stepMs),
        ]),
        share: this.#shares.describe(index, this.#shareContext()),
        silence: this.#sparse.nextSilenceOf(index, this.#stepMs),
        heartbeat: this.#heartbeats.nextDueOf(index, this.#group),
      };
    });
  }

  save(): SavedProject {
    return {
      stepMs: this.#stepMs,
      settings: this.#settings,
      registry: this.#registry.save(),
      group: this.#group.save(),
      incidents: this.#tracker.save(),
      heartbeats: this.#heartbeats.save(),
      rules: this.#rules.save(),
      errorGroups: this.#newErrors.save(),
      payments: this.#payments,
      shares: this.#shares.save(),
      lateSources: this.#lateSources.save(),
      outbreak: this.#reporter.outbreak,
      early: this.#early.save(),
      sparse: this.#sparse.save(),
    };
  }

  #rearm(subject: AlarmSubject): void {
    switch (subject.kind) {
      case 'series':
        this.#rearmSeries(subject);
        this.#shares.rearm(subject.index);
        if (subject.index === this.#registry.indexOf(FAILED_PAYMENTS)) resetPayments(this.#payments);
        return;
      case 'share':
        this.#shares.rearm(subject.index);
        return;
      case 'rule':
        this.#rules.rearm(subject.rule);
        return;
      case 'new-errors':
        this.#reporter.rearmNewErrors();
        return;
      case 'heartbeat':
        // Its silence stays reported until it returns.
        return;
      default:
        unknownSubject(subject);
    }
  }

  /** At all steps: what came until now belongs to the incident, unless the step has an open alarm in another one. */
  #rearmSeries(subject: AlarmSubject & { kind: 'series' }): void {
    const mayRearm = (coarseStep?: CoarseStep) => {
      const alarm: Alarm = { subject, side: UP, ...(coarseStep && { coarseStep }) };
      return !this.#tracker.hasOpenAlarm((other) => isSameAlarm(other, alarm));
    };
    if (mayRearm()) this.#group.rearm(subject.index);
    this.#sparse.rearm(subject.index, mayRearm);
  }

  #raiseLevelTo(index: number, perMinute: number): void {
    this.#group.raiseLevelTo(index, perMinute * STEP_MINUTES);
    this.#sparse.raiseLevelTo(index, perMinute);
  }

  #evaluatePartialStep(): void {
    const atMs = this.#stepMs + STEP_MS;
    this.#setShares();
    this.#group.evaluatePartialStep(this.#stepMs, (index, change) =>
      this.#reporter.onSeriesChange(index, change, atMs),
    );
    this.#reporter.reportSums();
    this.#shares.evaluate(this.#shareContext());
    this.#reporter.reportSums();
  }

  /** Sets what the shares of the step that runs hold so far. */
  #setShares(): void {
    const payments = this.#registry.indexOf(FAILED_PAYMENTS);
    if (payments !== null) this.#shares.set(payments, this.#stepMs, 'payments', outcomesOf(this.#payments));
    setErrorShares(this.#shares, { registry: this.#registry, group: this.#group }, this.#stepMs);
  }

  #shareContext(): ShareContext {
    const atMs = this.#stepMs + STEP_MS;
    return {
      stepMs: this.#stepMs,
      budgetPerWeek: this.#settings.budget,
      budgetShareOf: (index) => this.#group.budgetShareOf(index),
      dispersionOf: (index) => this.#group.dispersionOf(index),
      mayOpen: (index) => this.#reporter.isNewShare(index),
      report: (index, change) => this.#reporter.onShareChange(index, change, atMs),
    };
  }

  /** Earlier programs judged samples of failed payments as counts: an alarm of them would never close. */
  #closeFormerShare(): void {
    const payments = this.#registry.indexOf(FAILED_PAYMENTS);
    if (payments === null) return;
    this.#group.rearm(payments);
    this.#reporter.onShareChange(payments, { kind: 'closes', trialsAre: 'payments' }, this.#stepMs);
  }

  #endStep(isKnown: boolean): void {
    const endMs = this.#stepMs + STEP_MS;
    const payments = this.#registry.indexOf(FAILED_PAYMENTS);
    if (payments !== null) this.#group.setUnknown(payments);
    // A burst is one, even where not all of its minute is known.
    if (!isKnown) this.#evaluatePartialStep();
    this.#setShares();
    this.#group.endStep(this.#stepMs, isKnown, (index, change) =>
      this.#reporter.onSeriesChange(index, change, endMs),
    );
    this.#sparse.endMinute(this.#stepMs, isKnown, (step, index, change) =>
      this.#reporter.onSeriesChange(index, change, endMs, step),
    );
    this.#reporter.reportSums();
    this.#shares.endStep(this.#shareContext());
    this.#reporter.reportSums();
    resetPayments(this.#payments);
    this.#heartbeats.advance({ timeMs: endMs, isKnown }, this.#group, (index, change) =>
      this.#reporter.onHeartbeatChange(index, change, endMs),
    );
    this.#sparse.endSilences(this.#stepMs, isKnown, (index, change) =>
      this.#reporter.onSilenceChange(index, change, endMs),
    );
    this.#reporter.reportSums();
    for (const rule of this.#rules.advance(endMs)) this.#reporter.onRuleOver(rule, endMs);
    this.#reporter.advance(endMs);
    for (const report of this.#lateSources.passTime(endMs)) this.#tracker.reportLate(report, endMs);
    this.#tracker.advance(endMs);
    this.#stepMs = endMs;
    for (const delta of this.#early.take()) this.count(delta);
  }
}

/** Whether an alarm is about the counts, the share or the heartbeat of a series. */
function isOf(subject: AlarmSubject, index: number): boolean {
  return 'index' in subject && subject.index === index;
}
