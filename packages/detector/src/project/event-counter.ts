import { UP } from '../state/side.ts';
import { isErrorOrWorse } from '../types.ts';
import { type Alarm, isSameSubject } from './alarm-subject.ts';
import type { CountDelta } from './count-delta.ts';
import { countPayments, isPayment } from './payment-counts.ts';
import type { ProjectParts } from './project-parts.ts';
import { ERRORS, FAILED_PAYMENTS, OTHER, TOTAL_INDEX } from './series-key.ts';

/** Counts the events of the running step in series, sums, rules, heartbeats and open incidents. */
export class EventCounter {
  readonly #parts: ProjectParts;
  /** Events of incidents that were open already, by incident number. */
  #additional = new Map<number, number>();

  constructor(parts: ProjectParts) {
    this.#parts = parts;
  }

  /** Returns the events since the last call that belong to incidents which were open already, by incident number. */
  takeAdditional(): Map<number, number> {
    const additional = this.#additional;
    this.#additional = new Map();
    return additional;
  }

  /** @param stepMs beginning of the running step */
  count(delta: CountDelta, stepMs: number): void {
    const { registry, group, sparse, reporter, heartbeats, lateSources } = this.#parts;
    if (delta.isLate) {
      this.#countLate(delta);
      return;
    }
    const isError = isErrorOrWorse(delta.severity);
    lateSources.countEvaluated(delta.count, isError);
    const mayBeOld = lateSources.isNewlySteady(delta.source, stepMs);
    const index = delta.isOther ? registry.ensure(OTHER) : registry.ensureForEvents(delta, mayBeOld);
    const counting = isError ? [TOTAL_INDEX, index, registry.ensure(ERRORS)] : [TOTAL_INDEX, index];
    this.#countAdditional(delta, counting);
    for (const each of counting) {
      group.count(each, delta.count);
      if (this.#isUnlearned(each, stepMs)) sparse.silences.countLate(each);
      else sparse.count(each, delta.count);
    }
    if (isPayment(delta)) {
      registry.ensure(FAILED_PAYMENTS);
      countPayments(this.#parts.payments, delta);
    }
    for (const fulfilled of this.#parts.rules.count(delta)) reporter.onRuleFulfilled(fulfilled, delta.lastMs);
    if (registry.seriesAt(index).kind !== 'events') return;
    if (this.#isUnlearned(index, stepMs)) {
      this.#recordAlive(index, delta.lastMs);
      return;
    }
    const level = group.series.mostLevelOf(index);
    const change = heartbeats.recordEvent(index, { timeMs: delta.lastMs, events: delta.count, level });
    if (change) reporter.onHeartbeatChange(index, change, delta.lastMs);
  }

  /** Records late events, which are not counted and begin no series, but show that their series are not silent. */
  #countLate(delta: CountDelta): void {
    const { registry, group, sparse } = this.#parts;
    const index = delta.isOther ? registry.indexOf(OTHER) : registry.indexOfEvents(delta);
    const errors = isErrorOrWorse(delta.severity) ? registry.indexOf(ERRORS) : null;
    for (const each of [TOTAL_INDEX, errors, index]) {
      if (each === null) continue;
      group.countLate(each, delta.count);
      sparse.countLate(each, delta.count);
    }
    if (index !== null) this.#recordAlive(index, delta.lastMs);
  }

  #recordAlive(index: number, timeMs: number): void {
    const change = this.#parts.heartbeats.recordLateEvent(index, timeMs);
    if (change) this.#parts.reporter.onHeartbeatChange(index, change, timeMs);
  }

  #isUnlearned(index: number, stepMs: number): boolean {
    const { unlearned, registry } = this.#parts;
    return unlearned.hasAny(stepMs) && unlearned.has(registry.seriesAt(index), stepMs);
  }

  /** Adds events to the incidents of the rises, and of the rules, that they belong to. */
  #countAdditional(delta: CountDelta, indices: number[]): void {
    const { openIncidents } = this.#parts.tracker;
    if (openIncidents.length === 0) return;
    const matched = this.#parts.rules.openRulesMatching(delta);
    const eventsOf = ({ subject, side }: Alarm) => {
      if (side !== UP) return 0;
      if (subject.kind === 'series' || subject.kind === 'share')
        return indices.includes(subject.index) ? delta.count : 0;
      return matched.find(({ rule }) => isSameSubject({ kind: 'rule', rule }, subject))?.events ?? 0;
    };
    for (const { number, open } of openIncidents) {
      const events = open.reduce((most, alarm) => Math.max(most, eventsOf(alarm)), 0);
      if (events > 0) this.#additional.set(number, (this.#additional.get(number) ?? 0) + events);
    }
  }
}
