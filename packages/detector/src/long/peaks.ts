import { MINUTES_PER_WEEK } from '../state/resolution.ts';
import type { Side } from '../state/side.ts';
import type { LongLayout, LongState } from './long-state.ts';

const MEMORY_MINUTES = 8 * MINUTES_PER_WEEK;
/** Evidence above this is a peak: so much, or more, is the excess of an exponential tail. */
export const PEAK_EVIDENCE = 2.5;
/** Poisson counts have a peak in so many steps; a prior of so many peaks, whose excess has this mean. */
const STEPS_A_PEAK = 40;
const PRIOR_PEAKS = 10;
const PRIOR_EXCESS = 1.2;
const TAIL_INDEX = 0.1;
/** An alarm is held down to this share of the way to the threshold. */
const HOLD_SHARE = 0.4;

/*
 * Peaks of the evidence of a side, and the thresholds that follow from them (SPOT: Siffer et al., 2017): with ζ peaks a step of
 * a mean excess σ, the evidence u + σ((ζ/q)^ξ − 1)/ξ is exceeded q times a step. Neighbouring steps are one peak. The tail index is
 * fixed, since some ten peaks do not tell it; the prior is our own.
 */

/** Evidence above which an alarm opens, by how many a week may. */
export function openThresholdOf(
  state: LongState,
  layout: LongLayout,
  side: Side,
  alarmsPerWeek: number,
): number {
  const { peaksAStep, meanExcess } = tailOf(state, side);
  const rarity = Math.max(1, (peaksAStep * stepsPerWeek(layout)) / alarmsPerWeek);
  return PEAK_EVIDENCE + (meanExcess * (rarity ** TAIL_INDEX - 1)) / TAIL_INDEX;
}

export function holdThresholdOf(openThreshold: number): number {
  return PEAK_EVIDENCE + HOLD_SHARE * (openThreshold - PEAK_EVIDENCE);
}

/** Returns how many peaks of at least such evidence a week has: the inverse of `openThresholdOf`. */
export function peaksPerWeek(state: LongState, layout: LongLayout, side: Side, evidence: number): number {
  const { peaksAStep, meanExcess } = tailOf(state, side);
  const excess = Math.max(0, evidence - PEAK_EVIDENCE) / meanExcess;
  return peaksAStep * stepsPerWeek(layout) * (1 + TAIL_INDEX * excess) ** (-1 / TAIL_INDEX);
}

/** Takes the largest evidence of a step; what is reported counts with at most the hold threshold: it does not raise that of the next. */
export function addPeak(state: LongState, { stepMinutes }: LongLayout, side: Side, evidence: number): void {
  const kept = Math.exp(-stepMinutes / MEMORY_MINUTES);
  state.setPeakSteps(side, kept * state.peakSteps(side) + 1);
  const running = state.runningPeak(side);
  const ends = evidence <= PEAK_EVIDENCE && running > 0;
  state.setPeaks(side, kept * state.peaks(side) + (ends ? 1 : 0));
  state.setPeakExcess(side, kept * state.peakExcess(side) + (ends ? running - PEAK_EVIDENCE : 0));
  if (ends) state.setRunningPeak(side, 0);
  else if (evidence > PEAK_EVIDENCE) state.setRunningPeak(side, Math.max(running, evidence));
}

function tailOf(state: LongState, side: Side): { peaksAStep: number; meanExcess: number } {
  const peaks = PRIOR_PEAKS + state.peaks(side);
  return {
    peaksAStep: peaks / (PRIOR_PEAKS * STEPS_A_PEAK + state.peakSteps(side)),
    meanExcess: (PRIOR_PEAKS * PRIOR_EXCESS + state.peakExcess(side)) / peaks,
  };
}

function stepsPerWeek({ stepMinutes }: LongLayout): number {
  return MINUTES_PER_WEEK / stepMinutes;
}
