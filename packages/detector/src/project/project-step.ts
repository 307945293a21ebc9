import { type AlarmChange, isOpen, minutesSinceOpening, withdrawAlarm } from '../series/alarm-state.ts';
import { UP } from '../state/side.ts';
import { type Alarm, isSameAlarm } from './alarm-subject.ts';
import { setErrorShares } from './error-traffic.ts';
import type { OpenIncident } from './open-incidents.ts';
import { resetPayments } from './payment-counts.ts';
import { type ProjectParts, STEP_MS } from './project-parts.ts';
import { FAILED_PAYMENTS } from './series-key.ts';
import { reportRisenSeverities } from './severity-rise.ts';
import type { ShareContext } from './share-monitor.ts';
import type { UnlearnedTimes } from './unlearned-times.ts';

/** Evaluates the counts of the running step, which began then. */
export function evaluatePartialStep(parts: ProjectParts, stepMs: number): void {
  const { group, shares, reporter } = parts;
  const atMs = stepMs + STEP_MS;
  setShares(parts, stepMs);
  group.evaluatePartialStep(stepMs, (index, change) => reporter.onSeriesChange(index, change, atMs));
  reporter.reportSums();
  shares.evaluate(shareContextOf(parts, stepMs));
  reporter.reportSums();
  evaluateRules(parts, atMs);
}

/** Evaluates the shares of rules, once all counts so far have come. */
function evaluateRules({ rules, reporter }: ProjectParts, atMs: number): void {
  for (const fulfilled of rules.evaluateShares()) reporter.onRuleFulfilled(fulfilled, atMs);
}

/** Ends the step that began then. All of its counts have come. */
export function endStep(parts: ProjectParts, stepMs: number, isKnown: boolean): void {
  const { registry, group, sparse, shares, heartbeats, payments, reporter, tracker, unlearned } = parts;
  const endMs = stepMs + STEP_MS;
  const isUnlearned = findUnlearned(parts, stepMs);
  const failedPayments = registry.indexOf(FAILED_PAYMENTS);
  if (failedPayments !== null) group.series.change(failedPayments).isPartial = true;
  // A burst is one even in a minute that is not known as a whole.
  if (!isKnown) evaluatePartialStep(parts, stepMs);
  setShares(parts, stepMs);
  const reportMinute = (index: number, change: AlarmChange) => reporter.onSeriesChange(index, change, endMs);
  group.endStep(stepMs, isKnown, reportMinute, { isUnlearned });
  sparse.endMinute(
    stepMs,
    isKnown,
    (step, index, change) => reporter.onSeriesChange(index, change, endMs, step),
    isUnlearned,
  );
  if (isUnlearned) closeUnlearnedRises(parts, unlearned, stepMs, endMs);
  reporter.reportSums();
  // The shares include the minute, and have not ended it.
  if (isKnown) reportRisenSeverities(parts, endMs);
  shares.endStep(shareContextOf(parts, stepMs));
  reporter.reportSums();
  resetPayments(payments);
  heartbeats.advance(
    { timeMs: endMs, isKnown },
    group,
    (index, change) => reporter.onHeartbeatChange(index, change, endMs),
    isUnlearned,
  );
  sparse.silences.endMinute(
    stepMs,
    isKnown,
    (index, change) => reporter.onSilenceChange(index, change, endMs),
    isUnlearned,
  );
  reporter.reportSums();
  evaluateRules(parts, endMs);
  for (const rule of parts.rules.advance(endMs)) reporter.onRuleOver(rule, endMs);
  parts.outbreak.advance(endMs);
  for (const report of parts.lateSources.passTime(endMs)) tracker.reportLate(report, endMs);
  tracker.advance(endMs);
}

/** Returns the series, by index, that learn nothing from the step that began then; undefined: all learn. */
function findUnlearned(
  { registry, unlearned }: ProjectParts,
  stepMs: number,
): ((index: number) => boolean) | undefined {
  if (!unlearned.hasAny(stepMs)) return undefined;
  return (index) => unlearned.has(registry.seriesAt(index), stepMs);
}

/**
 * Closes the rises that opened in a time from which nothing is learned, once it ends, and the incidents that nothing else holds:
 * later counts are evaluated by themselves, at the level of before. A drop stays open until the missing events are back.
 * @param former times in the step that began at `stepMs`: those that are over at `atMs` have ended
 */
export function closeUnlearnedRises(
  { registry, group, reporter, tracker, unlearned }: ProjectParts,
  former: UnlearnedTimes,
  stepMs: number,
  atMs: number,
): void {
  const closed = new Set<OpenIncident>();
  for (const index of group.series.indices()) {
    const series = registry.seriesAt(index);
    if (!former.has(series, stepMs) || unlearned.has(series, atMs)) continue;
    const alarm: Alarm = { subject: { kind: 'series', index }, side: UP };
    const incidents = tracker.openIncidents.filter(({ open }) =>
      open.some((other) => isSameAlarm(other, alarm)),
    );
    const { state } = group.series.read(index);
    const minutes = former.minutesSince(series, atMs);
    if (!isOpen(state, UP) || minutesSinceOpening(state, group.resolution, UP) > minutes) continue;
    withdrawAlarm(group.series.change(index).state, UP);
    reporter.onSeriesChange(index, { kind: 'closes', side: UP }, atMs);
    for (const incident of incidents) closed.add(incident);
  }
  tracker.endClosed(closed, atMs);
}

/** Goes from the step that began at a time to a later one, without the steps between. */
export function skipSteps({ group, sparse, reporter }: ProjectParts, fromMs: number, toMs: number): void {
  group.skip(fromMs, toMs);
  sparse.skip(fromMs, toMs, (step, index, change) => reporter.onSeriesChange(index, change, toMs, step));
  reporter.reportSums();
}

/** Returns the circumstances by which the shares of the step that began then are evaluated. */
export function shareContextOf({ group, reporter, unlearned }: ProjectParts, stepMs: number): ShareContext {
  const atMs = stepMs + STEP_MS;
  return {
    stepMs,
    budgetPerWeek: group.budgetPerWeek,
    budgetShareOf: (index) => group.budgetShareOf(index),
    dispersionOf: (index) => group.series.read(index).state.dispersion,
    isReported: (index, found) => reporter.isReportedShare(index, found),
    // Shares compare series with each other.
    isUnlearned: unlearned.hasAny(stepMs),
    report: (index, change) => reporter.onShareChange(index, change, atMs),
  };
}

/** Sets the outcomes of the shares in the step that began then, so far. */
function setShares({ registry, group, shares, payments }: ProjectParts, stepMs: number): void {
  const failedPayments = registry.indexOf(FAILED_PAYMENTS);
  if (failedPayments !== null) shares.set(failedPayments, stepMs, 'payments', payments);
  setErrorShares(shares, { registry, group }, stepMs);
}
