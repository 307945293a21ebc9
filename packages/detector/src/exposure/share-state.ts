import { RecordBuffer } from '../state/record-buffer.ts';
import { defineView } from '../state/record-view.ts';

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

/** Lists of the rings are by minute or bin, modulo their length. Minutes count from the first one: 32-bit floats hold them for 31 years. */
const ShareHead = defineView({
  /** First minute, since 1970. */
  firstMinute: 'double',
  /** Discounted squares of differences between minutes, and what they are of binomial counts. */
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
  failuresOfMinutes: RING_MINUTES,
  trialsOfMinutes: RING_MINUTES,
  failuresOfBins: BINS,
  trialsOfBins: BINS,
  /** Failures of them that do not count: see `countFailures`. */
  repeatsOfBins: BINS,
  beginningsOfBins: BINS,
  logOddsOfBins: BINS,
  variancesOfBins: BINS,
  /** Discounted sums, by memory. */
  sumOfFailures: SHARE_MEMORIES,
  sumOfTrials: SHARE_MEMORIES,
  /** Weighted squares of how far the log odds wandered, and the weights, by span. */
  wanderingOf: SPANS,
  wanderingWeightOf: SPANS,
  evidenceMaxima: MAXIMA,
  /** True if the counts of the failures had an open alarm, in proportion to the trials, when they were compared last. */
  isInProportion: 'flag',
});

/** Instead of the minute in which the alarm opened. */
const NOT_OPEN = -1;

/** All that is remembered of a share, by name, in a record whose bytes are also its saved form. */
export class ShareState extends ShareHead {
  /** @param from first minute, or what `toBytes` returned */
  constructor(from: number | Uint8Array) {
    super(new RecordBuffer(ShareHead.floats));
    if (typeof from !== 'number') {
      this.buffer.bytes.set(from);
      return;
    }
    this.firstMinute = from;
    this.openedMinute = NOT_OPEN;
  }

  toBytes(): Uint8Array {
    return this.buffer.bytes;
  }

  failuresAt(minute: number): number {
    return this.failuresOfMinutes(minute % RING_MINUTES);
  }
  trialsAt(minute: number): number {
    return this.trialsOfMinutes(minute % RING_MINUTES);
  }
  setMinute(minute: number, failures: number, trials: number): void {
    this.setFailuresOfMinutes(minute % RING_MINUTES, failures);
    this.setTrialsOfMinutes(minute % RING_MINUTES, trials);
  }
  forgetMinutes(): void {
    for (let minute = 0; minute < RING_MINUTES; minute++) this.setMinute(minute, 0, 0);
  }

  failuresOfBin(bin: number): number {
    return this.failuresOfBins(bin % BINS);
  }
  trialsOfBin(bin: number): number {
    return this.trialsOfBins(bin % BINS);
  }
  beginningOfBin(bin: number): number {
    return this.beginningsOfBins(bin % BINS);
  }
  /** Returns the log odds of the share that was usual when the bin began, and their variance. */
  logOddsOfBin(bin: number): number {
    return this.logOddsOfBins(bin % BINS);
  }
  varianceOfBin(bin: number): number {
    return this.variancesOfBins(bin % BINS);
  }
  repeatsOfBin(bin: number): number {
    return this.repeatsOfBins(bin % BINS);
  }

  /** @param repeats failures that do not count */
  addToBin(bin: number, failures: number, trials: number, repeats: number): void {
    this.setFailuresOfBins(bin % BINS, this.failuresOfBin(bin) + failures);
    this.setTrialsOfBins(bin % BINS, this.trialsOfBin(bin) + trials);
    this.setRepeatsOfBins(bin % BINS, this.repeatsOfBin(bin) + repeats);
  }
  beginBin(bin: number, minute: number, { logOdds, variance }: UsualLogOdds): void {
    const place = bin % BINS;
    this.bin = bin;
    this.setFailuresOfBins(place, 0);
    this.setTrialsOfBins(place, 0);
    this.setRepeatsOfBins(place, 0);
    this.setBeginningsOfBins(place, minute);
    this.setLogOddsOfBins(place, logOdds);
    this.setVariancesOfBins(place, variance);
  }
  /** Oldest bin that is kept. */
  get oldestBin(): number {
    return Math.max(0, this.bin - (BINS - 1));
  }

  setSums(memory: number, failures: number, trials: number): void {
    this.setSumOfFailures(memory, failures);
    this.setSumOfTrials(memory, trials);
  }
  setWandering(span: number, wandering: number, weight: number): void {
    this.setWanderingOf(span, wandering);
    this.setWanderingWeightOf(span, weight);
  }

  get isOpen(): boolean {
    return this.openedMinute !== NOT_OPEN;
  }
  close(): void {
    this.openedMinute = NOT_OPEN;
  }

  /** Largest evidence up to some hours ago, discounted. */
  get maxEvidence(): number {
    return this.evidenceMaxima(MAXIMA - 1);
  }
  recordEvidence(nats: number): void {
    this.setEvidenceMaxima(0, Math.max(this.evidenceMaxima(0), nats));
  }
  /** Forgets what has not been taken up. */
  forgetRecentEvidence(): void {
    this.setEvidenceMaxima(0, 0);
    this.setEvidenceMaxima(1, 0);
  }

  /** Takes up what was recorded at the next call only, so that a burst is not compared with its own beginning. */
  shiftEvidence(decay: number): void {
    this.setEvidenceMaxima(2, Math.max(this.maxEvidence * decay, this.evidenceMaxima(1)));
    this.setEvidenceMaxima(1, this.evidenceMaxima(0));
    this.setEvidenceMaxima(0, 0);
  }
}

/** The log odds of the usual share, and their variance. */
export interface UsualLogOdds {
  logOdds: number;
  variance: number;
}
