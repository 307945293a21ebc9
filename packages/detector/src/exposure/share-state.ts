import { RecordBuffer } from '../state/record-buffer.ts';
import { defineView } from '../state/record-view.ts';
import { MINUTES_PER_DAY, MINUTES_PER_WEEK } from '../state/resolution.ts';
import { NO_OUTCOMES, type Outcomes } from './share-evidence.ts';

/** Number of minutes that are kept one by one. */
export const RING_MINUTES = 30;
/** Number of kept bins of several minutes, with the running one. */
export const BINS = 13;
/** Minimum minutes of a bin. */
export const BIN_MINUTES = 10;
/** Memories of the discounted sums, the fastest first, and their number. */
export const MEMORY_MINUTES = [30, 120, 480, MINUTES_PER_DAY, MINUTES_PER_WEEK];
export const SHARE_MEMORIES = MEMORY_MINUTES.length;
/** Spans over which the wandering of the share is measured, in bins, and their number. */
export const SPAN_BINS = [1, 3, BINS - 1];
export const SPANS = SPAN_BINS.length;

/** Fields of a share. Minutes count from the first one: 32-bit floats hold them for 31 years. */
const ShareHead = defineView({
  /** First minute, since 1970. */
  firstMinute: 'double',
  /** Discounted squares of differences between minutes, and those of binomial counts. */
  deviations: 'float',
  binomialVariances: 'float',
  /** Running minute and bin. */
  minute: 'float',
  bin: 'float',
  openedMinute: 'float',
  /** Last minute in which an open alarm was held. */
  heldMinute: 'float',
  /** Usual log odds when the alarm opened. */
  usualLogOdds: 'float',
  /** Outcomes by cell: see `cellOfMinute` and `cellOfBin`. */
  failures: RING_MINUTES + BINS,
  trials: RING_MINUTES + BINS,
  /**
   * Failures that do not count, first minute, log odds of the usual share then, and their variance, by bin modulo their number.
   */
  repeats: BINS,
  beginnings: BINS,
  logOdds: BINS,
  variances: BINS,
  /** Discounted sums, by memory. */
  sumOfFailures: SHARE_MEMORIES,
  sumOfTrials: SHARE_MEMORIES,
  /** Weighted squares of how far the log odds wandered, and the weights, by span. */
  wanderingOf: SPANS,
  wanderingWeightOf: SPANS,
  /** Largest evidence of the running bins, of those before them, and of all earlier ones, discounted. */
  runningEvidence: 'float',
  newestEvidence: 'float',
  maxEvidence: 'float',
  /** True if the trials are the failures and traffic beside them. */
  areBeside: 'flag',
  /** True if the counts of the failures had an open alarm, in proportion to the trials, when they were compared last. */
  isInProportion: 'flag',
});

/** Placeholder of the minute in which the alarm opened. */
const NOT_OPEN = -1;

export function cellOfMinute(minute: number): number {
  return minute % RING_MINUTES;
}

export function cellOfBin(bin: number): number {
  return RING_MINUTES + (bin % BINS);
}

/** State of a share, by name, in a record whose bytes are also its saved form. */
export class ShareState extends ShareHead {
  /** @param from first minute, or result of `toBytes` */
  constructor(from: number | Uint8Array) {
    super(new RecordBuffer(ShareHead.floats));
    if (typeof from !== 'number') {
      this.buffer.bytes.set(from);
      return;
    }
    this.firstMinute = from;
    this.close();
  }

  toBytes(): Uint8Array {
    return this.buffer.bytes;
  }

  cell(index: number): Outcomes {
    return { failures: this.failures(index), trials: this.trials(index) };
  }
  setCell(cell: number, { failures, trials }: Outcomes): void {
    this.setFailures(cell, failures);
    this.setTrials(cell, trials);
  }
  beginMinute(minute: number): void {
    this.minute = minute;
    this.setCell(cellOfMinute(minute), NO_OUTCOMES);
  }
  beginBin(bin: number, { logOdds, variance }: UsualLogOdds): void {
    this.bin = bin;
    this.setCell(cellOfBin(bin), NO_OUTCOMES);
    this.setRepeats(bin % BINS, 0);
    this.setBeginnings(bin % BINS, this.minute);
    this.setLogOdds(bin % BINS, logOdds);
    this.setVariances(bin % BINS, variance);
  }
  /** Oldest bin that is kept. */
  get oldestBin(): number {
    return Math.max(0, this.bin - (BINS - 1));
  }
  beginningOf(bin: number): number {
    return this.beginnings(bin % BINS);
  }
  logOddsOf(bin: number): number {
    return this.logOdds(bin % BINS);
  }

  /** True if a bin has been learned: before, there is no usual share to clip anything against. */
  get isKnown(): boolean {
    return this.sumOfTrials(SHARE_MEMORIES - 1) > 0;
  }
  get isOpen(): boolean {
    return this.openedMinute !== NOT_OPEN;
  }
  close(): void {
    this.openedMinute = NOT_OPEN;
  }

  recordEvidence(nats: number): void {
    this.runningEvidence = Math.max(this.runningEvidence, nats);
  }
  /** Forgets the maxima that `shiftEvidence` has not taken up. */
  forgetRecentEvidence(): void {
    this.runningEvidence = 0;
    this.newestEvidence = 0;
  }
  /** Takes up recorded evidence at the next call only, so that a burst is not compared with its own beginning. */
  shiftEvidence(decay: number): void {
    this.maxEvidence = Math.max(this.maxEvidence * decay, this.newestEvidence);
    this.newestEvidence = this.runningEvidence;
    this.runningEvidence = 0;
  }
}

/** The log odds of the usual share, and their variance. */
export interface UsualLogOdds {
  logOdds: number;
  variance: number;
}
