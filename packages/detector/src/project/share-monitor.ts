import {
  createShare,
  endMinute,
  evaluateShare,
  rearmShare,
  type ShareExceedance,
  setOutcomes,
  skipToMinute,
} from '../exposure/share-detector.ts';
import type { Outcomes } from '../exposure/share-evidence.ts';
import type { ShareState } from '../exposure/share-state.ts';
import { MINUTE_MS } from '../state/durations.ts';

/** The share of a series, by the index of the series. */
export type SavedShare = [index: number, state: ShareState];

export type ShareChange =
  | ({ kind: 'opens'; falseAlarmsPerWeek: number } & ShareExceedance)
  | { kind: 'closes' };

/** No share gets more of a project's budget: 0.1 false alarms a week at the default. */
const MAX_BUDGET_SHARE = 0.1;

/** What the shares of a project are evaluated with. */
export interface ShareContext {
  /** Beginning of the step that runs. */
  stepMs: number;
  /** False alarms a week of the project, and of a series. */
  budgetPerWeek: number;
  budgetShareOf: (index: number) => number;
  report: (index: number, change: ShareChange) => void;
}

/** The shares of failures in a project: how many of the payments failed. */
export class ShareMonitor {
  readonly #shares: Map<number, ShareState>;

  constructor(saved: SavedShare[] = []) {
    this.#shares = new Map(saved);
  }

  /** Sets what the step that runs holds so far; a share begins with its first outcomes. */
  set(index: number, stepMs: number, outcomes: Outcomes): void {
    const minute = Math.floor(stepMs / MINUTE_MS);
    const state = this.#shares.get(index) ?? createShare(minute);
    this.#shares.set(index, state);
    skipToMinute(state, minute);
    setOutcomes(state, outcomes);
  }

  /** Evaluates what `set` has set: an alarm does not wait for the end of the step. */
  evaluate({ budgetPerWeek, budgetShareOf, report }: ShareContext): void {
    for (const [index, state] of this.#shares) {
      const budget = Math.min(MAX_BUDGET_SHARE * budgetPerWeek, budgetShareOf(index));
      const exceedance = evaluateShare(state, budget);
      if (!exceedance) continue;
      const falseAlarmsPerWeek = budget * Math.exp(exceedance.openThreshold - exceedance.evidence);
      report(index, { kind: 'opens', falseAlarmsPerWeek, ...exceedance });
    }
  }

  /** Ends the step, of which everything has been set. */
  endStep(context: ShareContext): void {
    this.evaluate(context);
    for (const [index, state] of this.#shares) {
      skipToMinute(state, Math.floor(context.stepMs / MINUTE_MS));
      if (endMinute(state)) context.report(index, { kind: 'closes' });
    }
  }

  /** A person has resolved its incident. */
  rearm(index: number): void {
    const state = this.#shares.get(index);
    if (state) rearmShare(state);
  }

  save(): SavedShare[] {
    return [...this.#shares];
  }
}
