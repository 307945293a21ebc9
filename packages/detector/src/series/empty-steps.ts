import type { Resolution } from '../state/resolution.ts';
import type { SeriesState } from '../state/series-state.ts';

/** From so many expected events on, an empty step says something: chance empties one Poisson step in 150. */
const MIN_EXPECTED = 5;
/** Of the memories of the level: a day. */
const DAY_MEMORY = 3;
const MIN_KNOWN_STEPS = 30;
/**
 * Up to this share, a quarter of an hour a day, empty steps may be outages. They are not learned as normal, so that the
 * second one is found as the first one was.
 */
const OUTAGE_SHARE = 0.01;

/**
 * Learns how many steps are empty where events are expected: the sender flushes in batches, or switches off and on.
 * @param expected by level and time of day: nightly zeros are no property of the stream
 */
export function learnEmptySteps(
  state: SeriesState,
  resolution: Resolution,
  count: number,
  expected: number,
): void {
  if (expected < MIN_EXPECTED) return;
  const decay = resolution.memoryDecays[DAY_MEMORY] as number; // there is one for each memory
  state.setEmptySteps(state.emptySteps * decay + (count === 0 ? 1 : 0), state.knownSteps * decay + 1);
}

/** The share π of steps that are empty by the nature of the stream; 0 where none are, or where little is known. */
export function emptyShare(state: SeriesState): number {
  if (state.knownSteps < MIN_KNOWN_STEPS) return 0;
  return Math.max(0, state.emptySteps / state.knownSteps - OUTAGE_SHARE);
}

/** Whether empty steps are usual, or could become so at such a level. */
export function mayHaveEmptySteps(state: SeriesState, level: number): boolean {
  return level >= MIN_EXPECTED || emptyShare(state) > 0;
}

/**
 * Evidence for more empty steps than usual, of which each has the chance π: the log-likelihood ratio of z of w, the
 * binomial part of a hurdle model (Mullahy, 1986), w·(q·ln(q/π) + (1 − q)·ln((1 − q)/(1 − π))) with q = z/w, or that of
 * the k steps since the last event, k·ln(1/π), where it is more. The maximum counts as one more window: the block
 * maxima hold it.
 *
 * Domain: 0 < π < 1, 0 ≤ k ≤ z ≤ w. Error against SciPy: below 10⁻¹² of the value, or 10⁻¹² where that is more
 * (`fixtures/special-functions.json`).
 */
export function emptyStepsEvidence(
  { empty, run, known }: { empty: number; run: number; known: number },
  share: number,
): number {
  const ofRun = -run * Math.log(share);
  const observed = empty / known;
  if (observed <= share) return ofRun;
  const filled = empty === known ? 0 : (1 - observed) * Math.log((1 - observed) / (1 - share));
  return Math.max(ofRun, known * (observed * Math.log(observed / share) + filled));
}
