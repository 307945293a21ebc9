import { raiseLevelTo } from '../group/running-step.ts';
import type { Arrivals, SteadyLateSource } from '../lateness/late-sources.ts';
import { isCount } from '../state/count.ts';
import type { RiskSettings } from '../types.ts';
import type { DetectorEvent } from './anomaly.ts';
import type { CountDelta, ErrorDelta, KnownError } from './count-delta.ts';
import { EventCounter } from './event-counter.ts';
import type { FormerIncidents } from './open-incidents.ts';
import {
  createParts,
  memorySizeOf,
  type ProjectParts,
  type SavedProject,
  STEP_MINUTES,
  STEP_MS,
  saveParts,
  seriesCountOf,
} from './project-parts.ts';
import { closeUnlearnedRises, endStep, evaluatePartialStep, skipSteps } from './project-step.ts';
import { rearm } from './rearm.ts';
import { ERRORS } from './series-key.ts';
import { type UnlearnedTime, UnlearnedTimes } from './unlearned-times.ts';
import { describeSeries, type WatchedSeries } from './watched-series.ts';

/** Steps ahead beyond which counts come from a wrong clock: they count now. */
export const MAX_AHEAD_STEPS = 60;

/**
 * Detector of a project. Its input is counts, whenever they come, and time, by `endStepsBefore`; its decisions
 * follow from these calls alone. Saving and loading are lossless.
 */
export class ProjectDetector {
  readonly stepLengthMs = STEP_MS;
  readonly #parts: ProjectParts;
  readonly #counter: EventCounter;
  #settings: RiskSettings;
  /** Beginning of the running step. */
  #stepMs: number;

  /** @param firstIncident number of the first incident that it opens */
  constructor(startMs: number, settings: RiskSettings, saved?: SavedProject, firstIncident = 1) {
    this.#settings = saved?.settings ?? settings;
    this.#stepMs = saved?.stepMs ?? Math.floor(startMs / STEP_MS) * STEP_MS;
    this.#parts = createParts({ startMs, settings: this.#settings, firstIncident }, saved);
    this.#counter = new EventCounter(this.#parts);
  }

  /** Beginning of the running step: the steps before it have been evaluated. */
  get stepMs(): number {
    return this.#stepMs;
  }

  get settings(): RiskSettings {
    return this.#settings;
  }

  /** Memory that it takes, in series. */
  get size(): number {
    return memorySizeOf(this.#parts, this.#settings);
  }

  /** Number of its series, with those of steps that have not begun yet. */
  get seriesCount(): number {
    return seriesCountOf(this.#parts);
  }

  /** Number of series up to which new ones begin. */
  get maxSeries(): number {
    return this.#parts.registry.maxSeries;
  }

  /** Numbers of the incidents that are not over. */
  get incidents(): number[] {
    return this.#parts.tracker.openIncidents.map(({ number }) => number);
  }

  /** Number of the next incident that it opens. */
  get nextIncident(): number {
    return this.#parts.tracker.nextNumber;
  }

  /** True if these events have a series of their own already. */
  hasSeries(delta: CountDelta): boolean {
    return this.#parts.registry.indexOfEvents(delta) !== null || this.#parts.early.has(delta);
  }

  set(settings: RiskSettings): void {
    if (settings.budget !== this.#settings.budget) {
      this.#parts.group.setBudget(settings.budget);
      this.#parts.sparse.setBudget(settings.budget);
    }
    this.#settings = settings;
    for (const rule of this.#parts.rules.setRules(settings.rules))
      this.#parts.reporter.onRuleOver(rule, this.#stepMs);
  }

  /** Times from which some series learn nothing, as set by `setUnlearned`. */
  get unlearned(): readonly UnlearnedTime[] {
    return this.#parts.unlearned.times;
  }

  /** Replaces these times for the steps that end from now on. A time that is left out has ended. */
  setUnlearned(times: readonly UnlearnedTime[]): void {
    const { unlearned } = this.#parts;
    const former = new UnlearnedTimes(unlearned.times);
    unlearned.set(times);
    if (former.hasAny(this.#stepMs)) closeUnlearnedRises(this.#parts, former, this.#stepMs, this.#stepMs);
  }

  /** Limits the series, at most to `MAX_SERIES`: a further one takes the index of an inactive one, or counts with others. */
  limitSeries(maxSeries: number): void {
    this.#parts.registry.limit(maxSeries);
  }

  /**
   * Counts events in the running step, or keeps them for the one that they belong to. Events that come a step late count
   * now; later ones belong to steps that are over, and would be a burst that never was: they are refused, unless they are
   * marked as late, and then only show that their series is alive. A delta without a valid count (`isCount`: not NaN,
   * negative, infinite or above 10¹²) or time is refused, and changes nothing.
   * @returns whether the delta was taken
   */
  count(delta: CountDelta): boolean {
    if (!isCount(delta.count) || !Number.isFinite(delta.bucketMs) || !Number.isFinite(delta.lastMs))
      return false;
    const steps = Math.floor((delta.bucketMs - this.#stepMs) / STEP_MS);
    if (steps < -1 && !delta.isLate) return false;
    if (steps > 0 && steps <= MAX_AHEAD_STEPS) {
      this.#parts.early.add(delta);
    } else {
      const counted = steps <= 0 ? delta : { ...delta, bucketMs: this.#stepMs, lastMs: this.#stepMs };
      this.#counter.count(counted, this.#stepMs);
    }
    return true;
  }

  /** True if events of a source that came so late are evaluated, by their receipt. */
  isEvaluated(source: string | null, lateMs: number, receivedMs = this.#stepMs): boolean {
    return this.#parts.lateSources.isEvaluated(source, lateMs, receivedMs);
  }

  /** True if the lateness of all events of a source is needed. */
  followsLateness(source: string | null): boolean {
    return this.#parts.lateSources.isFollowed(source);
  }

  /** Records how late events came; `count` receives the same events. */
  recordArrivals(arrivals: Arrivals): void {
    for (const { perMinute, errorsPerMinute } of this.#parts.lateSources.take(arrivals)) {
      this.#raiseLevelTo(0, perMinute);
      if (errorsPerMinute > 0) this.#raiseLevelTo(this.#parts.registry.ensure(ERRORS), errorsPerMinute);
    }
  }

  /** Returns the steadily late sources if they have changed since the last call, else null. */
  takeSteadyLateSources(): SteadyLateSource[] | null {
    return this.#parts.lateSources.takeSteady();
  }

  /** Records an occurrence of an error group; the same events are also counted. */
  recordError({ atMs: seenMs, ...occurrence }: ErrorDelta): void {
    const error = { ...occurrence, atMs: Math.min(seenMs, this.#stepMs + STEP_MS) };
    const novelty = this.#parts.newErrors.recordError(error);
    if (novelty === 'known' || !this.#settings.newKinds) return;
    this.#parts.outbreak.add(error, novelty === 'noisy');
  }

  /** Evaluates the counts since the last time: bursts do not wait for the end of the step. */
  evaluatePartialStep(): DetectorEvent[] {
    evaluatePartialStep(this.#parts, this.#stepMs);
    return this.#parts.tracker.take();
  }

  /**
   * Ends each step that is over at a time. All counts of those steps have to have come.
   * @param isKnown false if the service was down or far behind: then their counts say nothing
   */
  endStepsBefore(timeMs: number, isKnown: boolean): DetectorEvent[] {
    while (this.#stepMs + STEP_MS <= timeMs) this.#endStep(isKnown);
    return this.#parts.tracker.take();
  }

  /** Skips steps without known counts: they would teach nothing. */
  skipTo(timeMs: number): void {
    const toMs = Math.max(this.#stepMs, Math.ceil(timeMs / STEP_MS) * STEP_MS);
    skipSteps(this.#parts, this.#stepMs, toMs);
    this.#stepMs = toMs;
  }

  /**
   * Takes over the incidents of the detector before this one, in the place of its own.
   * @returns new numbers of its own incidents that stay, by their former ones
   */
  adopt(former: FormerIncidents): Map<number, number> {
    return this.#parts.tracker.adopt(former);
  }

  /** Takes over known errors. @param errors each as it was seen last, the oldest first */
  adoptErrors(errors: readonly KnownError[]): void {
    this.#parts.newErrors.adopt(errors);
  }

  /** Steadily late sources. */
  get lateSources(): SteadyLateSource[] {
    return this.#parts.lateSources.steady;
  }

  /** Takes over steadily late sources, whose events are evaluated by receipt from now on. */
  adoptLateSources(sources: readonly SteadyLateSource[]): void {
    this.#parts.lateSources.adopt(sources, this.#stepMs);
  }

  /** Resets an incident that a person has resolved: later events are evaluated by themselves, but a silence stays reported. */
  resolve(incident: number): void {
    for (const alarm of this.#parts.tracker.dismiss(incident)) rearm(this.#parts, alarm);
  }

  /** Returns the events since the last call that belong to incidents which were open already, by incident number. */
  takeAdditionalEvents(): Map<number, number> {
    return this.#counter.takeAdditional();
  }

  /** Returns how each series is evaluated now, in the order of their first events. */
  describeSeries(): WatchedSeries[] {
    return describeSeries(this.#parts, this.#stepMs);
  }

  save(): SavedProject {
    return { stepMs: this.#stepMs, settings: this.#settings, ...saveParts(this.#parts) };
  }

  /** Raises the level of a sum, which has to expect events that are evaluated from now on. */
  #raiseLevelTo(index: number, perMinute: number): void {
    const { group, sparse } = this.#parts;
    raiseLevelTo(group.series.change(index), perMinute * STEP_MINUTES);
    for (const coarse of sparse.groupsOf(index))
      raiseLevelTo(coarse.group.series.change(index), perMinute * coarse.step);
  }

  #endStep(isKnown: boolean): void {
    endStep(this.#parts, this.#stepMs, isKnown);
    this.#stepMs += STEP_MS;
    for (const delta of this.#parts.early.take()) this.count(delta);
  }
}
