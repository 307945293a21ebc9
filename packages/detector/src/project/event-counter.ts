import type { SeriesGroup } from '../group/series-group.ts';
import type { SparseSeries } from '../group/sparse-series.ts';
import type { HeartbeatMonitor } from '../heartbeat/heartbeat-monitor.ts';
import type { LateSources } from '../lateness/late-sources.ts';
import { UP } from '../state/side.ts';
import { isErrorOrWorse } from '../types.ts';
import type { AlarmReporter } from './alarm-reporter.ts';
import { type Alarm, isSameSubject } from './alarm-subject.ts';
import type { CountDelta } from './count-delta.ts';
import type { CountRules } from './count-rules.ts';
import type { IncidentTracker } from './incident-tracker.ts';
import { countPayments, isPayment, type PaymentCounts } from './payment-counts.ts';
import { ERRORS, FAILED_PAYMENTS, OTHER } from './series-key.ts';
import type { SeriesRegistry } from './series-registry.ts';
import type { UnlearnedTimes } from './unlearned-times.ts';

/** The parts of a project in which an event counts. */
interface CountingParts {
  tracker: IncidentTracker;
  registry: SeriesRegistry;
  group: SeriesGroup;
  sparse: SparseSeries;
  reporter: AlarmReporter;
  heartbeats: HeartbeatMonitor;
  rules: CountRules;
  payments: PaymentCounts;
  lateSources: LateSources;
  unlearned: UnlearnedTimes;
}

/** Counts the events of the step that runs wherever they count: in series, sums, rules, heartbeats and open incidents. */
export class EventCounter {
  readonly #parts: CountingParts;
  /** Events that belong to incidents which were open already, by the incidents' numbers. */
  #additional = new Map<number, number>();

  constructor(parts: CountingParts) {
    this.#parts = parts;
  }

  /** Events since this was asked last that belong to incidents which were open already. */
  takeAdditional(): Map<number, number> {
    const additional = this.#additional;
    this.#additional = new Map();
    return additional;
  }

  /** @param stepMs beginning of the step that runs */
  count(delta: CountDelta, stepMs: number): void {
    if (delta.isLate) {
      this.#countLate(delta);
      return;
    }
    const isError = isErrorOrWorse(delta.severity);
    this.#parts.lateSources.countEvaluated(delta.count, isError);
    const mayBeOld = this.#parts.lateSources.isNewlySteady(delta.source, stepMs);
    const index = delta.isOther
      ? this.#parts.registry.ensure(OTHER)
      : this.#parts.registry.ensureForEvents(delta, mayBeOld);
    const errors = isError ? this.#parts.registry.ensure(ERRORS) : null;
    const counting = errors === null ? [0, index] : [0, index, errors];
    if (this.#parts.tracker.openIncidents.length > 0) this.#countAdditional(delta, counting);
    for (const each of counting) {
      this.#parts.group.count(each, delta.count);
      if (this.#isUnlearned(each, stepMs)) this.#parts.sparse.countUnlearned(each);
      else this.#parts.sparse.count(each, delta.count);
    }
    if (isPayment(delta)) {
      this.#parts.registry.ensure(FAILED_PAYMENTS);
      countPayments(this.#parts.payments, delta);
    }
    for (const fulfilled of this.#parts.rules.count(delta))
      this.#parts.reporter.onRuleFulfilled(fulfilled, delta.lastMs);
    if (this.#parts.registry.seriesAt(index).kind !== 'events') return;
    if (this.#isUnlearned(index, stepMs)) {
      this.#recordAlive(index, delta.lastMs);
      return;
    }
    const change = this.#parts.heartbeats.recordEvent(index, {
      timeMs: delta.lastMs,
      events: delta.count,
      level: this.#parts.group.mostLevelOf(index),
    });
    if (change) this.#parts.reporter.onHeartbeatChange(index, change, delta.lastMs);
  }

  /** Late events count nowhere, but show that their series are not silent. A new series does not begin with them. */
  #countLate(delta: CountDelta): void {
    this.#countLateIn(0, delta.count);
    const errors = isErrorOrWorse(delta.severity) ? this.#parts.registry.indexOf(ERRORS) : null;
    if (errors !== null) this.#countLateIn(errors, delta.count);
    const index = delta.isOther
      ? this.#parts.registry.indexOf(OTHER)
      : this.#parts.registry.indexOfEvents(delta);
    if (index === null) return;
    this.#countLateIn(index, delta.count);
    this.#recordAlive(index, delta.lastMs);
  }

  #recordAlive(index: number, timeMs: number): void {
    const change = this.#parts.heartbeats.recordLateEvent(index, timeMs);
    if (change) this.#parts.reporter.onHeartbeatChange(index, change, timeMs);
  }

  #isUnlearned(index: number, stepMs: number): boolean {
    const { unlearned, registry } = this.#parts;
    return unlearned.hasAny(stepMs) && unlearned.has(registry.seriesAt(index), stepMs);
  }

  #countLateIn(index: number, events: number): void {
    this.#parts.group.countLate(index, events);
    this.#parts.sparse.countLate(index, events);
  }

  /** Adds events to the incidents of the rises, and of the rules, that they belong to. */
  #countAdditional(delta: CountDelta, indices: number[]): void {
    const rules = this.#parts.rules.openRulesMatching(delta).map((rule) => ({ kind: 'rule', rule }) as const);
    const belongs = ({ subject, side }: Alarm) => {
      if (side !== UP) return false;
      if (subject.kind === 'series' || subject.kind === 'share') return indices.includes(subject.index);
      return rules.some((rule) => isSameSubject(rule, subject));
    };
    for (const { number, open } of this.#parts.tracker.openIncidents)
      if (open.some(belongs)) this.#additional.set(number, (this.#additional.get(number) ?? 0) + delta.count);
  }
}
