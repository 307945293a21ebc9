import { rarityOf } from '../calibration/rare-budgets.ts';
import { type OpeningFailures, openingFailures } from '../exposure/opening-failures.ts';
import {
  createShare,
  endMinute,
  evaluateShare,
  isProportionate,
  isTooYoung,
  rearmShare,
  setOutcomes,
  skipToMinute,
} from '../exposure/share-detector.ts';
import { NO_OUTCOMES, type Outcomes, toShare } from '../exposure/share-evidence.ts';
import {
  type LeastEffect,
  latestShareExcess,
  type ShareCriteria,
  type ShareExceedance,
} from '../exposure/share-exceedance.ts';
import { countEvidence, logOddsOfWeek, ratesOfDay, usualOf } from '../exposure/share-level.ts';
import { cellOfMinute, RING_MINUTES, ShareState } from '../exposure/share-state.ts';
import { failuresWithin, windowOf } from '../exposure/share-windows.ts';
import { MIN_RISE } from '../series/evidence.ts';
import { MINUTE_MS } from '../state/durations.ts';
import { MINUTES_PER_DAY } from '../state/resolution.ts';
import type { Exposure } from './anomaly.ts';

/** Trials of which failures are a share. */
export type Trials =
  /** Payments, with those that failed. */
  | 'payments'
  /** Events of severity info and warn, of the source of the failures or of the whole project, and the failures. */
  | 'traffic of source'
  | 'traffic of project';

export interface Share {
  trials: Trials;
  state: ShareState;
}

/** Saved share of a series: the index of the series, and the bytes of the state. */
export type SavedShare = [index: number, trials: Trials, state: Uint8Array];

export type ShareChange =
  | ({ kind: 'opens'; trialsAre: Trials; falseAlarmsPerWeek: number } & ShareExceedance)
  | { kind: 'closes'; trialsAre: Trials };

/** Share of a series, as it is evaluated now. */
export interface WatchedShare {
  trials: Trials;
  /** Usual failures for one event: 0.03 are 3 of 100. */
  usualShare: number;
  /** Failures that would open an alarm; empty while too little is known for one. */
  opening: OpeningFailures[];
}

/** Circumstances by which the shares of a project are evaluated. */
export interface ShareContext {
  /** Beginning of the running step. */
  stepMs: number;
  /** False alarms a week of the project, and of a series. */
  budgetPerWeek: number;
  budgetShareOf: (index: number) => number;
  /** Returns the dispersion of the counts of the failures. */
  dispersionOf: (index: number) => number;
  /** True if an alarm of a share of errors would be no news. */
  isReported: (index: number, found: ShareExceedance) => boolean;
  /** True if nothing is learned from the step. */
  isUnlearned: boolean;
  report: (index: number, change: ShareChange) => void;
}

/** Maximum share of a project's budget: 0.2 false alarms a week at the default, in projects of few series. */
const MAX_BUDGET_SHARE = 0.2;
/** Part of the budget that a share of errors has beside that of their counts. */
const BUDGET_PART_OF_ERRORS = 0.25;
/** Minimum ratio of the odds of errors: payments, which are few, need that of counts. */
const MIN_RATIO_OF_ERRORS = 2.5;
/** Minimum variance of the log odds of errors: unrelated errors and traffic drift apart by σ = 0.3 from day to day. */
const MIN_VARIANCE_OF_ERRORS = 0.1;
/**
 * Minimum evidence of the number of errors against that of the day, without which their share opens nothing: errors that come by a
 * timer are a larger share of the traffic of each night.
 */
const MIN_COUNT_EVIDENCE = 7;
/** Variance between the log odds of the sources of a project: they differ by σ = 0.7. */
const VARIANCE_BETWEEN_SOURCES = 0.5;
/** Minimum traffic to which errors are compared: a minute over the last day, and in the window. */
const MIN_TRAFFIC_PER_MINUTE = 1;
const MIN_TRAFFIC = 20;

/** Shares of failures in a project: of failed payments, and of errors beside the traffic. */
export class ShareMonitor {
  readonly #shares = new Map<number, Share>();

  constructor(saved: SavedShare[] = []) {
    for (const [index, trials, state] of saved)
      this.#shares.set(index, { trials, state: new ShareState(state) });
  }

  has(index: number): boolean {
    return this.#shares.has(index);
  }

  /** Sets the outcomes of the running step so far; a share begins with its first ones, and starts over with other trials. */
  set(index: number, stepMs: number, trials: Trials, outcomes: Outcomes): void {
    const minute = Math.floor(stepMs / MINUTE_MS);
    let share = this.#shares.get(index);
    if (share?.trials !== trials) {
      share = { trials, state: createShare(minute, trials !== 'payments') };
      this.#shares.set(index, share);
    }
    skipToMinute(share.state, minute);
    setOutcomes(share.state, outcomes);
  }

  /** Evaluates the outcomes that were set: an alarm does not wait for the end of the step. */
  evaluate(context: ShareContext): void {
    for (const [index, { trials, state }] of this.#shares) {
      if (state.isOpen || state.failures(cellOfMinute(state.minute)) === 0) continue;
      const criteria = criteriaOf({ trials, state }, context, index);
      const exceedance = evaluateShare(state, criteria);
      if (!exceedance) continue;
      const falseAlarmsPerWeek =
        criteria.budgetPerWeek * Math.exp(exceedance.openThreshold - exceedance.evidence);
      context.report(index, { kind: 'opens', trialsAre: trials, falseAlarmsPerWeek, ...exceedance });
    }
  }

  /** Ends the step, of which everything has been set. */
  endStep(context: ShareContext): void {
    this.evaluate(context);
    for (const [index, { trials, state }] of this.#shares) {
      skipToMinute(state, Math.floor(context.stepMs / MINUTE_MS));
      if (context.isUnlearned) setOutcomes(state, { failures: 0, trials: 0 });
      if (endMinute(state)) context.report(index, { kind: 'closes', trialsAre: trials });
    }
  }

  /**
   * Returns the traffic of the errors of the last minutes, and their usual share of it; null where no traffic is known.
   * @param oddsElsewhere usual odds of other sources, for a new source
   */
  compare(index: number, minutes: number, oddsElsewhere: number | null): Exposure | null {
    const share = this.#shares.get(index);
    if (!share || share.trials === 'payments') return null;
    if (oddsElsewhere === null && !isKnownTraffic(share.state)) return null;
    const window = windowOf(share.state, minutes);
    const { failures, trials } = window;
    if (trials - failures < MIN_TRAFFIC) return null;
    // The errors of its bin may have risen before.
    const usual = usualOf(share.state, { ...window, before: NO_OUTCOMES });
    if (oddsElsewhere !== null)
      Object.assign(usual, { logOdds: Math.log(oddsElsewhere), variance: VARIANCE_BETWEEN_SOURCES });
    // The usual share follows a slow growth within hours: in a longer window it is at most that of the week.
    else if (minutes > RING_MINUTES) usual.logOdds = Math.min(usual.logOdds, logOddsOfWeek(share.state));
    const isInProportion = isProportionate(window, usual);
    return { events: trials - failures, failures, usualShare: Math.exp(usual.logOdds), isInProportion };
  }

  /** Records whether reported errors had risen with the traffic. */
  keepProportion(index: number, isInProportion: boolean): void {
    const share = this.#shares.get(index);
    if (share) share.state.isInProportion = isInProportion;
  }

  /** Returns the failures of an open alarm, from their beginning within two hours on; null where none is an effect. */
  latestExcessOf(index: number): ShareExceedance | null {
    const share = this.#shares.get(index);
    return share?.state.isOpen ? latestShareExcess(share.state, leastEffectOf(share)) : null;
  }

  /** Returns the errors for one event in the last day of some series together; null where no traffic, or no error, is known. */
  usualOddsOf(indices: number[]): number | null {
    let [errors, traffic] = [0, 0];
    for (const index of indices) {
      const share = this.#shares.get(index);
      if (!share || share.trials === 'payments' || !isKnownTraffic(share.state)) continue;
      const { failures, trials } = ratesOfDay(share.state);
      errors += failures;
      traffic += trials - failures;
    }
    return errors > 0 ? errors / traffic : null;
  }

  /** True if the counts of these errors had risen with the traffic when they were reported. */
  isInProportion(index: number): boolean {
    return this.#shares.get(index)?.state.isInProportion ?? false;
  }

  /** True if fewer than half of the payments of the last day failed: only then a share can rise. */
  mayRiseOfPayments(index: number): boolean {
    const share = this.#shares.get(index);
    if (share?.trials !== 'payments' || isTooYoung(share.state)) return false;
    const { failures, trials } = ratesOfDay(share.state);
    return 2 * failures < trials;
  }

  /** Returns the failures of about the last minutes. */
  failuresWithin(index: number, minutes: number): number {
    const share = this.#shares.get(index);
    return share ? failuresWithin(share.state, minutes) : 0;
  }

  /** Returns how the share of a series is evaluated; null where it has none, or no traffic is known. */
  describe(index: number, context: ShareContext): WatchedShare | null {
    const share = this.#shares.get(index);
    if (!share) return null;
    const { trials, state } = share;
    if (trials !== 'payments' && !isKnownTraffic(state)) return null;
    const usualShare = toShare(state.logOddsOf(state.bin));
    return { trials, usualShare, opening: openingFailures(state, criteriaOf(share, context, index)) };
  }

  /** Resets a share whose incident a person has resolved. */
  rearm(index: number): void {
    const share = this.#shares.get(index);
    if (share) rearmShare(share.state);
  }

  /** Forgets the share of a series whose index another one has. */
  forget(index: number): void {
    this.#shares.delete(index);
  }

  save(): SavedShare[] {
    return Array.from(this.#shares, ([index, { trials, state }]) => [index, trials, state.toBytes()]);
  }
}

function leastEffectOf({ trials }: Pick<Share, 'trials'>): LeastEffect {
  return trials === 'payments'
    ? { minRatio: MIN_RISE, minOthers: 0 }
    : { minRatio: MIN_RATIO_OF_ERRORS, minOthers: MIN_TRAFFIC };
}

function criteriaOf({ trials, state }: Share, context: ShareContext, index: number): ShareCriteria {
  const isOfPayments = trials === 'payments';
  const budget = Math.min(MAX_BUDGET_SHARE * context.budgetPerWeek, context.budgetShareOf(index));
  const dispersion = isOfPayments ? 1 : context.dispersionOf(index);
  return {
    isReported: (found) => !isOfPayments && context.isReported(index, found),
    mayOpen: (found) =>
      isOfPayments ||
      (isKnownTraffic(state) && countEvidence(state, found, dispersion) >= MIN_COUNT_EVIDENCE),
    budgetPerWeek: isOfPayments ? budget : BUDGET_PART_OF_ERRORS * budget,
    rarity: rarityOf(context.budgetPerWeek),
    isUnlearned: context.isUnlearned,
    ...leastEffectOf({ trials }),
    clumps: isOfPayments ? null : { minDispersion: dispersion, minVariance: MIN_VARIANCE_OF_ERRORS },
  };
}

/** True if there was a day of traffic, and enough of it. */
function isKnownTraffic(state: ShareState): boolean {
  if (state.minute < MINUTES_PER_DAY) return false;
  const { failures, trials } = ratesOfDay(state);
  return trials - failures >= MIN_TRAFFIC_PER_MINUTE;
}
