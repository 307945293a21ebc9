import { HOLD_SHARE } from '../calibration/thresholds.ts';

/** Evidence above which the tail is exponential: the threshold of peaks. */
const PEAK_EVIDENCE = 2.5;
/** Prior: steps of a peak of Poisson counts, the number of peaks that it is worth, and their mean excess. */
const STEPS_A_PEAK = 40;
const PRIOR_PEAKS = 10;
const PRIOR_EXCESS = 1.2;
const TAIL_INDEX = 0.1;

/**
 * Peaks of the evidence of a series, and the thresholds that follow from them (SPOT: Siffer et al., 2017): with ζ peaks a step of
 * a mean excess σ, the evidence u + σ((ζ/q)^ξ − 1)/ξ is exceeded q times a step. Neighbouring steps are one peak. The tail index is
 * fixed, since some ten peaks do not show it; the prior is our own.
 */
export class PeaksOverThreshold {
  readonly #keptAStep: number;
  readonly #alarmsAStep: number;
  #steps = 0;
  #peaks = 0;
  #excess = 0;
  /** Largest evidence of the running peak; 0: there is none. */
  #running = 0;

  constructor({ memorySteps, alarmsAStep }: { memorySteps: number; alarmsAStep: number }) {
    this.#keptAStep = Math.exp(-1 / memorySteps);
    this.#alarmsAStep = alarmsAStep;
  }

  get openThreshold(): number {
    const peaks = PRIOR_PEAKS + this.#peaks;
    const meanExcess = (PRIOR_PEAKS * PRIOR_EXCESS + this.#excess) / peaks;
    const peaksAStep = peaks / (PRIOR_PEAKS * STEPS_A_PEAK + this.#steps);
    const rarity = Math.max(1, peaksAStep / this.#alarmsAStep);
    return PEAK_EVIDENCE + (meanExcess * (rarity ** TAIL_INDEX - 1)) / TAIL_INDEX;
  }

  get holdThreshold(): number {
    return PEAK_EVIDENCE + HOLD_SHARE * (this.openThreshold - PEAK_EVIDENCE);
  }

  /** @param isReported true if the evidence counts up to the hold threshold: reported trouble does not raise the next threshold */
  add(evidence: number, isReported: boolean): void {
    this.#steps = this.#keptAStep * this.#steps + 1;
    this.#peaks *= this.#keptAStep;
    this.#excess *= this.#keptAStep;
    if (evidence > PEAK_EVIDENCE) {
      const counted = isReported ? Math.min(evidence, this.holdThreshold) : evidence;
      this.#running = Math.max(this.#running, counted);
    } else if (this.#running > 0) {
      this.#peaks += 1;
      this.#excess += this.#running - PEAK_EVIDENCE;
      this.#running = 0;
    }
  }
}
