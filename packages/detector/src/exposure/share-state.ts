/** Minutes that are kept one by one. */
export const RING_MINUTES = 30;
/** Bins of several minutes that are kept, with the one that runs. */
export const BINS = 13;
/** Discounted sums with memories of different length, the fastest first. */
export const SHARE_MEMORIES = 5;
/** Spans over which the wandering of the share is measured. */
export const SPANS = 3;
/** Maxima of the evidence: of the bins that run, of those before them, and of all earlier ones. */
const MAXIMA = 3;

/** Assigns consecutive offsets. New fields go to the end. */
class Layout {
  length = 0;

  place(length: number): number {
    this.length += length;
    return this.length - length;
  }
}

const floats = new Layout();
const RING_FAILURES = floats.place(RING_MINUTES);
const RING_TRIALS = floats.place(RING_MINUTES);
const BIN_FAILURES = floats.place(BINS);
const BIN_TRIALS = floats.place(BINS);
const BIN_BEGINNINGS = floats.place(BINS);
const BIN_LOG_ODDS = floats.place(BINS);
const BIN_VARIANCES = floats.place(BINS);
const SUM_FAILURES = floats.place(SHARE_MEMORIES);
const SUM_TRIALS = floats.place(SHARE_MEMORIES);
const WANDERING = floats.place(SPANS);
const WANDERING_WEIGHTS = floats.place(SPANS);
const DEVIATIONS = floats.place(1);
const BINOMIAL_VARIANCES = floats.place(1);
const RUNNING_MINUTE = floats.place(1);
const RUNNING_BIN = floats.place(1);
const OPENED_MINUTE = floats.place(1);
const HELD_MINUTE = floats.place(1);
const USUAL_LOG_ODDS = floats.place(1);
const IN_PROPORTION = floats.place(1);
const EVIDENCE_MAXIMA = floats.place(MAXIMA);

export const SHARE_BYTES = floats.length * Float32Array.BYTES_PER_ELEMENT;

/** Instead of the minute in which the alarm opened. */
const NOT_OPEN = -1;

/**
 * All that is remembered of a share, by name, in one buffer of 608 bytes, which is also its saved form. Minutes count from
 * the first one, so that 32-bit floats hold them for 31 years. Minutes and bins lie in rings, by their numbers.
 */
export class ShareState {
  /** The first minute, since 1970. */
  readonly firstMinute: number;
  readonly #floats = new Float32Array(floats.length);

  constructor(firstMinute: number, saved?: Uint8Array) {
    this.firstMinute = firstMinute;
    // A copy, since saved bytes may lie at any offset.
    if (saved) this.toBytes().set(saved);
    else this.openedMinute = NOT_OPEN;
  }

  failuresAt(minute: number): number {
    return this.#get(RING_FAILURES + (minute % RING_MINUTES));
  }
  trialsAt(minute: number): number {
    return this.#get(RING_TRIALS + (minute % RING_MINUTES));
  }
  setMinute(minute: number, failures: number, trials: number): void {
    this.#floats[RING_FAILURES + (minute % RING_MINUTES)] = failures;
    this.#floats[RING_TRIALS + (minute % RING_MINUTES)] = trials;
  }
  forgetMinutes(): void {
    this.#floats.fill(0, RING_FAILURES, RING_FAILURES + 2 * RING_MINUTES);
  }

  failuresOfBin(bin: number): number {
    return this.#get(BIN_FAILURES + (bin % BINS));
  }
  trialsOfBin(bin: number): number {
    return this.#get(BIN_TRIALS + (bin % BINS));
  }
  beginningOfBin(bin: number): number {
    return this.#get(BIN_BEGINNINGS + (bin % BINS));
  }
  /** Of the share that was usual when the bin began. */
  logOddsOfBin(bin: number): number {
    return this.#get(BIN_LOG_ODDS + (bin % BINS));
  }
  /** Of these log odds. */
  varianceOfBin(bin: number): number {
    return this.#get(BIN_VARIANCES + (bin % BINS));
  }
  addToBin(bin: number, failures: number, trials: number): void {
    this.#floats[BIN_FAILURES + (bin % BINS)] = this.failuresOfBin(bin) + failures;
    this.#floats[BIN_TRIALS + (bin % BINS)] = this.trialsOfBin(bin) + trials;
  }
  beginBin(bin: number, minute: number, { logOdds, variance }: UsualLogOdds): void {
    const place = bin % BINS;
    this.#floats[RUNNING_BIN] = bin;
    this.#floats[BIN_FAILURES + place] = 0;
    this.#floats[BIN_TRIALS + place] = 0;
    this.#floats[BIN_BEGINNINGS + place] = minute;
    this.#floats[BIN_LOG_ODDS + place] = logOdds;
    this.#floats[BIN_VARIANCES + place] = variance;
  }

  sumOfFailures(memory: number): number {
    return this.#get(SUM_FAILURES + memory);
  }
  sumOfTrials(memory: number): number {
    return this.#get(SUM_TRIALS + memory);
  }
  setSums(memory: number, failures: number, trials: number): void {
    this.#floats[SUM_FAILURES + memory] = failures;
    this.#floats[SUM_TRIALS + memory] = trials;
  }

  /** Of a span: weighted squares of how far the log odds wandered, and the weights. */
  wanderingOf(span: number): number {
    return this.#get(WANDERING + span);
  }
  wanderingWeightOf(span: number): number {
    return this.#get(WANDERING_WEIGHTS + span);
  }
  setWandering(span: number, wandering: number, weight: number): void {
    this.#floats[WANDERING + span] = wandering;
    this.#floats[WANDERING_WEIGHTS + span] = weight;
  }

  /** Discounted squares of differences between minutes, and what they are of binomial counts. */
  get deviations(): number {
    return this.#get(DEVIATIONS);
  }
  set deviations(sum: number) {
    this.#floats[DEVIATIONS] = sum;
  }
  get binomialVariances(): number {
    return this.#get(BINOMIAL_VARIANCES);
  }
  set binomialVariances(sum: number) {
    this.#floats[BINOMIAL_VARIANCES] = sum;
  }

  /** The minute that runs. */
  get minute(): number {
    return this.#get(RUNNING_MINUTE);
  }
  set minute(minute: number) {
    this.#floats[RUNNING_MINUTE] = minute;
  }

  /** The bin that runs. */
  get bin(): number {
    return this.#get(RUNNING_BIN);
  }

  /** The oldest bin that is kept. */
  get oldestBin(): number {
    return Math.max(0, this.bin - (BINS - 1));
  }

  get isOpen(): boolean {
    return this.openedMinute !== NOT_OPEN;
  }
  get openedMinute(): number {
    return this.#get(OPENED_MINUTE);
  }
  set openedMinute(minute: number) {
    this.#floats[OPENED_MINUTE] = minute;
  }
  close(): void {
    this.openedMinute = NOT_OPEN;
  }

  /** The last minute in which an open alarm was held. */
  get heldMinute(): number {
    return this.#get(HELD_MINUTE);
  }
  set heldMinute(minute: number) {
    this.#floats[HELD_MINUTE] = minute;
  }

  /** What was usual when the alarm opened. */
  get usualLogOdds(): number {
    return this.#get(USUAL_LOG_ODDS);
  }
  set usualLogOdds(logOdds: number) {
    this.#floats[USUAL_LOG_ODDS] = logOdds;
  }

  /** Whether the counts of the failures have an open alarm, in proportion to the trials when it opened. */
  get isInProportion(): boolean {
    return this.#get(IN_PROPORTION) === 1;
  }
  set isInProportion(isInProportion: boolean) {
    this.#floats[IN_PROPORTION] = isInProportion ? 1 : 0;
  }

  /** The largest evidence up to some hours ago, discounted. */
  get maxEvidence(): number {
    return this.#get(EVIDENCE_MAXIMA + MAXIMA - 1);
  }
  recordEvidence(nats: number): void {
    this.#floats[EVIDENCE_MAXIMA] = Math.max(this.#get(EVIDENCE_MAXIMA), nats);
  }
  /** What was recorded counts from the next time on, so that a burst is not compared with its own beginning. */
  shiftEvidence(decay: number): void {
    const [running, previous] = [this.#get(EVIDENCE_MAXIMA), this.#get(EVIDENCE_MAXIMA + 1)];
    this.#floats[EVIDENCE_MAXIMA + 2] = Math.max(this.maxEvidence * decay, previous);
    this.#floats[EVIDENCE_MAXIMA + 1] = running;
    this.#floats[EVIDENCE_MAXIMA] = 0;
  }

  toBytes(): Uint8Array {
    return new Uint8Array(this.#floats.buffer);
  }

  #get(offset: number): number {
    return this.#floats[offset] as number; // offsets are those of the layout
  }
}

/** The log odds of the usual share, and their variance. */
export interface UsualLogOdds {
  logOdds: number;
  variance: number;
}
