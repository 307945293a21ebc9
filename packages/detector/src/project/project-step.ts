import { setErrorShares } from './error-traffic.ts';
import { outcomesOf, resetPayments } from './payment-counts.ts';
import { type ProjectParts, STEP_MS } from './project-parts.ts';
import { FAILED_PAYMENTS } from './series-key.ts';
import type { ShareContext } from './share-monitor.ts';

/** Evaluates what has counted in the step that began then and runs. */
export function evaluatePartialStep(parts: ProjectParts, stepMs: number): void {
  const { group, shares, reporter } = parts;
  const atMs = stepMs + STEP_MS;
  setShares(parts, stepMs);
  group.evaluatePartialStep(stepMs, (index, change) => reporter.onSeriesChange(index, change, atMs));
  reporter.reportSums();
  shares.evaluate(shareContextOf(parts, stepMs));
  reporter.reportSums();
}

/** Ends the step that began then. All of its counts have come. */
export function endStep(parts: ProjectParts, stepMs: number, isKnown: boolean): void {
  const { registry, group, sparse, shares, heartbeats, payments, reporter, tracker } = parts;
  const endMs = stepMs + STEP_MS;
  const failedPayments = registry.indexOf(FAILED_PAYMENTS);
  if (failedPayments !== null) group.setUnknown(failedPayments);
  // A burst is one, even where not all of its minute is known.
  if (!isKnown) evaluatePartialStep(parts, stepMs);
  setShares(parts, stepMs);
  group.endStep(stepMs, isKnown, (index, change) => reporter.onSeriesChange(index, change, endMs));
  sparse.endMinute(stepMs, isKnown, (step, index, change) =>
    reporter.onSeriesChange(index, change, endMs, step),
  );
  reporter.reportSums();
  shares.endStep(shareContextOf(parts, stepMs));
  reporter.reportSums();
  resetPayments(payments);
  heartbeats.advance({ timeMs: endMs, isKnown }, group, (index, change) =>
    reporter.onHeartbeatChange(index, change, endMs),
  );
  sparse.endSilences(stepMs, isKnown, (index, change) => reporter.onSilenceChange(index, change, endMs));
  reporter.reportSums();
  for (const rule of parts.rules.advance(endMs)) reporter.onRuleOver(rule, endMs);
  reporter.advance(endMs);
  for (const report of parts.lateSources.passTime(endMs)) tracker.reportLate(report, endMs);
  tracker.advance(endMs);
}

/** Goes from the step that began at a time to a later one, without the steps between. */
export function skipSteps({ group, sparse, reporter }: ProjectParts, fromMs: number, toMs: number): void {
  group.skip(fromMs, toMs);
  sparse.skip(fromMs, toMs, (step, index, change) => reporter.onSeriesChange(index, change, toMs, step));
  reporter.reportSums();
}

/** What the shares of the step that began then are evaluated with. */
export function shareContextOf({ group, reporter }: ProjectParts, stepMs: number): ShareContext {
  const atMs = stepMs + STEP_MS;
  return {
    stepMs,
    budgetPerWeek: group.budgetPerWeek,
    budgetShareOf: (index) => group.budgetShareOf(index),
    dispersionOf: (index) => group.dispersionOf(index),
    mayOpen: (index) => reporter.isNewShare(index),
    report: (index, change) => reporter.onShareChange(index, change, atMs),
  };
}

/** Sets what the shares of the step that began then hold so far. */
function setShares({ registry, group, shares, payments }: ProjectParts, stepMs: number): void {
  const failedPayments = registry.indexOf(FAILED_PAYMENTS);
  if (failedPayments !== null) shares.set(failedPayments, stepMs, 'payments', outcomesOf(payments));
  setErrorShares(shares, { registry, group }, stepMs);
}

/** Earlier programs evaluated samples of failed payments as counts: an alarm of them would never close. */
export function closeFormerShare({ registry, group, reporter }: ProjectParts, stepMs: number): void {
  const failedPayments = registry.indexOf(FAILED_PAYMENTS);
  if (failedPayments === null) return;
  group.rearm(failedPayments);
  reporter.onShareChange(failedPayments, { kind: 'closes', trialsAre: 'payments' }, stepMs);
}
