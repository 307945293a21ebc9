import type { CodeRuns } from './code-runs.ts';
import { EVIDENCE } from './evidence-code.ts';
import { readHalf, writeHalf } from './half-float.ts';
import { RecordedSeason } from './recorded-season.ts';
import { MAX_WINDOWS } from './resolution.ts';
import type { Side } from './side.ts';

/** The index of what a project keeps by side and window. */
export function sideWindow(side: Side, window: number): number {
  return side * MAX_WINDOWS + window;
}

/** What is kept of the evidence that windows have shown, and the thresholds that follow from it, by name. */
export class RecordedEvidence extends RecordedSeason {
  /** Block maxima that are kept of each window. */
  keptMaxima(side: Side): number {
    return this.layout.keptMaxima[side];
  }
  /** Largest evidence of the block that runs. */
  blockMaximum(side: Side, window: number): number {
    const { blockMaxima, windows, isCompact } = this.layout;
    const at = blockMaxima + side * windows + window;
    if (isCompact) return EVIDENCE.decode(this.codes[this.firstByte + at] as number);
    return this.floats[this.first + at] as number;
  }
  setBlockMaximum(side: Side, window: number, evidence: number): void {
    const { blockMaxima, windows, isCompact } = this.layout;
    const at = blockMaxima + side * windows + window;
    if (isCompact) this.codes[this.firstByte + at] = EVIDENCE.encode(evidence);
    else this.floats[this.first + at] = evidence;
  }
  /** Codes of the maxima of a window, a ring of `keptMaxima` places, from one on: until the view is moved, and without a copy. */
  maxima(side: Side, window: number, { begin, length }: { begin: number; length: number }): CodeRuns {
    const kept = this.layout.keptMaxima[side];
    const ring = this.firstByte + this.layout.maxima[side] + window * kept;
    const first = begin % kept;
    const ofFirstRun = Math.min(length, kept - first);
    return {
      codes: this.codes,
      first: ring + first,
      length: ofFirstRun,
      nextFirst: ring,
      nextLength: length - ofFirstRun,
    };
  }
  maximum(side: Side, window: number, index: number): number {
    const { maxima, keptMaxima } = this.layout;
    return this.codes[this.firstByte + maxima[side] + window * keptMaxima[side] + index] as number;
  }
  setMaximum(side: Side, window: number, index: number, code: number): void {
    const { maxima, keptMaxima } = this.layout;
    this.codes[this.firstByte + maxima[side] + window * keptMaxima[side] + index] = code;
  }

  /** Windows that the following is kept for. */
  get usualWindows(): number {
    return this.layout.usualWindows;
  }
  /** Codes of the largest evidence of a window that opened nothing, and of that of the block that ended last. */
  largestUsual(side: Side, window: number): number {
    const { largestUsual, usualWindows } = this.layout;
    return this.codes[this.firstByte + largestUsual + side * usualWindows + window] as number;
  }
  newestUsual(side: Side, window: number): number {
    const { newestUsual, usualWindows } = this.layout;
    return this.codes[this.firstByte + newestUsual + side * usualWindows + window] as number;
  }
  setUsual(side: Side, window: number, { largest, newest }: { largest: number; newest: number }): void {
    const { largestUsual, newestUsual, usualWindows } = this.layout;
    const at = this.firstByte + side * usualWindows + window;
    this.codes[at + largestUsual] = largest;
    this.codes[at + newestUsual] = newest;
  }

  /** Evidence above which an alarm opens, and above which it is held. */
  openThreshold(side: Side, window: number): number {
    return this.compact(this.layout.openThresholds, side * this.layout.windows + window);
  }
  holdThreshold(side: Side, window: number): number {
    return this.compact(this.layout.holdThresholds, side * this.layout.windows + window);
  }
  setThresholds(side: Side, window: number, open: number, hold: number): void {
    const index = side * this.layout.windows + window;
    this.setCompact(this.layout.openThresholds, index, open);
    this.setCompact(this.layout.holdThresholds, index, hold);
  }
  /** By window, all that evidence of a side must exceed to be noticed: without a number in memory of its own for each. */
  readNoticed(side: Side, holdThresholds: Float64Array, blockMaxima: Float64Array): void {
    const { layout, floats } = this;
    const { windows } = layout;
    if (layout.isCompact) {
      for (let window = 0; window < windows; window++) {
        holdThresholds[window] = this.holdThreshold(side, window);
        blockMaxima[window] = this.blockMaximum(side, window);
      }
      return;
    }
    const firstThreshold = this.first + layout.holdThresholds + side * windows;
    const firstMaximum = this.first + layout.blockMaxima + side * windows;
    for (let window = 0; window < windows; window++) {
      holdThresholds[window] = floats[firstThreshold + window] as number;
      blockMaxima[window] = floats[firstMaximum + window] as number;
    }
  }

  /** A number that is kept in 16 bits where the layout is compact. @param place of its field */
  protected compact(place: number, index: number): number {
    if (this.layout.isCompact) return readHalf(this.codes, this.firstByte + place + 2 * index);
    return this.floats[this.first + place + index] as number;
  }
  protected setCompact(place: number, index: number, value: number): void {
    if (this.layout.isCompact) writeHalf(this.codes, this.firstByte + place + 2 * index, value);
    else this.floats[this.first + place + index] = value;
  }
}
