import type { StatePlace } from './alarm-record.ts';
import {
  AGE,
  BLOCK_EVENTS,
  BLOCK_STEPS,
  BLOCKS,
  DEVIATIONS,
  DISPERSION,
  EMPTY_STEPS,
  EXPECTATIONS,
  FILLED_STEPS,
  KNOWN_STEPS,
  LEVEL,
  MEAN_BLOCK_STEPS,
  POOLED_DISPERSION,
  SHAPE,
  UNKNOWN_STEPS,
} from './series-head.ts';
import type { SeriesLayout } from './series-layout.ts';
import type { Side } from './side.ts';

/**
 * A view of the record of a series, and the fields of its head by name. Two typed arrays serve all accessors: a view for
 * each field would cost more memory than the state itself. The casts are safe: places are sums of the layout's constants
 * and of bounded indices, so they never lie outside.
 */
export class SeriesRecord {
  protected readonly layout: SeriesLayout;
  protected readonly place: StatePlace;
  /** For loops over many fields: the record begins at `first`. */
  floats: Float32Array;
  first: number;
  protected integers: Int32Array;
  protected codes: Uint8Array;
  protected firstByte: number;

  constructor(layout: SeriesLayout, place: StatePlace) {
    this.layout = layout;
    this.place = place;
    this.floats = place.floats;
    this.integers = place.integers;
    this.codes = place.bytes;
    this.first = place.start / Float32Array.BYTES_PER_ELEMENT;
    this.firstByte = place.start;
  }

  /** To be called when its place is that of another record: it is a view of that one from then on. */
  followPlace(): void {
    const { floats, integers, bytes, start } = this.place;
    if (this.floats !== floats) {
      this.floats = floats;
      this.integers = integers;
      this.codes = bytes;
    }
    this.first = start / Float32Array.BYTES_PER_ELEMENT;
    this.firstByte = start;
  }

  /** Steps of the longest window, which are kept as a ring. */
  get windowSteps(): number {
    return this.layout.windowSteps;
  }

  /** Steps since the first, known or not. */
  get age(): number {
    return this.floats[this.first + AGE] as number;
  }
  set age(steps: number) {
    this.floats[this.first + AGE] = steps;
  }

  /** What the next step is expected to hold, and the shape of the gamma distribution of that expectation. */
  get level(): number {
    return this.floats[this.first + LEVEL] as number;
  }
  get shape(): number {
    return this.floats[this.first + SHAPE] as number;
  }
  setLevel(level: number, shape: number): void {
    this.floats[this.first + LEVEL] = level;
    this.floats[this.first + SHAPE] = shape;
  }

  /** Variance over mean, at least 1. */
  get dispersion(): number {
    return this.floats[this.first + DISPERSION] as number;
  }
  set dispersion(dispersion: number) {
    this.floats[this.first + DISPERSION] = dispersion;
  }
  /** The dispersion of the project's other series. */
  get pooledDispersion(): number {
    return this.floats[this.first + POOLED_DISPERSION] as number;
  }
  set pooledDispersion(dispersion: number) {
    this.floats[this.first + POOLED_DISPERSION] = dispersion;
  }
  /** Discounted sums of squared deviations, and of the counts that they belong to. */
  get deviations(): number {
    return this.floats[this.first + DEVIATIONS] as number;
  }
  get expectations(): number {
    return this.floats[this.first + EXPECTATIONS] as number;
  }
  setDeviations(deviations: number, expectations: number): void {
    this.floats[this.first + DEVIATIONS] = deviations;
    this.floats[this.first + EXPECTATIONS] = expectations;
  }

  /** Discounted numbers of steps without an event, and of all that they are a share of. */
  get emptySteps(): number {
    return this.floats[this.first + EMPTY_STEPS] as number;
  }
  get knownSteps(): number {
    return this.floats[this.first + KNOWN_STEPS] as number;
  }
  setEmptySteps(emptySteps: number, knownSteps: number): void {
    this.floats[this.first + EMPTY_STEPS] = emptySteps;
    this.floats[this.first + KNOWN_STEPS] = knownSteps;
  }

  blockSteps(side: Side): number {
    return this.floats[this.first + BLOCK_STEPS + side] as number;
  }
  blockEvents(side: Side): number {
    return this.floats[this.first + BLOCK_EVENTS + side] as number;
  }
  setBlock(side: Side, steps: number, events: number): void {
    this.floats[this.first + BLOCK_STEPS + side] = steps;
    this.floats[this.first + BLOCK_EVENTS + side] = events;
  }
  /** Blocks that have closed, and their mean length. */
  blocks(side: Side): number {
    return this.floats[this.first + BLOCKS + side] as number;
  }
  meanBlockSteps(side: Side): number {
    return this.floats[this.first + MEAN_BLOCK_STEPS + side] as number;
  }
  setBlocks(side: Side, blocks: number, meanSteps: number): void {
    this.floats[this.first + BLOCKS + side] = blocks;
    this.floats[this.first + MEAN_BLOCK_STEPS + side] = meanSteps;
  }

  /** By bit, the steps of the ring with an event, and those that are not known: all others are empty. */
  get filledSteps(): number {
    return this.integers[this.first + FILLED_STEPS] as number;
  }
  get unknownSteps(): number {
    return this.integers[this.first + UNKNOWN_STEPS] as number;
  }
  protected setMasks(filledSteps: number, unknownSteps: number): void {
    this.integers[this.first + FILLED_STEPS] = filledSteps;
    this.integers[this.first + UNKNOWN_STEPS] = unknownSteps;
  }
}
