import { MINUTES_PER_WEEK, type Resolution } from '../state/resolution.ts';
import { AT, KEPT_MAXIMA, type SeriesMemory, type Side, UP } from '../state/series-state.ts';
import { BLOCK_MINUTES, EVIDENCE, maximaOf, placeOf } from './block-maxima.ts';

/** How the tail of the evidence is read off the maxima of past blocks, by side. */
interface TailSetting {
  /** Evidence to this power has a tail that is nearly exponential. */
  power: number;
  /** The upper quantile of the maxima that the scale is read off, against their median. */
  quantile: number;
  /** Tail index beyond that quantile: rises are heavier than exponential; drops are bounded, and lighter. */
  index: number;
  /** The scale is at least this many times that of ideal counts, until a series has shown its own. */
  lentFactor: number;
  /** What is borrowed is stretched by this: the heaviest of many bursty series are heavier than they have shown. */
  caution: number;
}

const TAILS: readonly [TailSetting, TailSetting] = [
  { power: 0.9, quantile: 0.85, index: 0.15, lentFactor: 2, caution: 1.3 },
  { power: 0.7, quantile: 0.9, index: -0.08, lentFactor: 1.5, caution: 1 },
];

/** What the project lends counts for as much as this many blocks of the series. */
const LENT_BLOCKS = 30;
const HOLDING = 0.4;
const TRUST_AT_FIRST = 0.25;

/** Of a project's maxima: scale and place of the tail, and how many they were read off. */
export interface LentTail {
  scale: number;
  place: number;
  maxima: number;
}

const NOTHING_LENT: LentTail = { scale: 0, place: 0, maxima: 0 };
/** Before a project has maxima of its own, its scale is taken for this many times that of ideal counts. */
const UNKNOWN_SCALE = 8;
/** Of drops, what is dispersed alone is taken for so unruly: steady counts do not fall silent by themselves. */
const UNKNOWN_SCALE_OF_STEADY_DROPS = 2;
const UNKNOWN_MAXIMA = 60;
const PROJECT_QUANTILE = 0.95;

/** The tail of a project's maxima (codes), to lend to its series. */
export function tailOfProject(side: Side, maxima: Uint8Array): LentTail {
  if (maxima.length === 0) return NOTHING_LENT;
  return { ...readTail(TAILS[side], PROJECT_QUANTILE, maxima), maxima: maxima.length };
}

/** A project that has shown little is taken for an unruly one. */
function borrow(
  lent: LentTail,
  caution: number,
  unknownScale: number,
  ideal: number,
): { scale: number; place: number } {
  const weight = lent.maxima + UNKNOWN_MAXIMA;
  return {
    scale: (lent.maxima * lent.scale * caution + UNKNOWN_MAXIMA * unknownScale * ideal) / weight,
    place: (lent.maxima * lent.place) / weight,
  };
}

/** A series that is alone in its project is taken for what it shows. */
const NOTHING_BORROWED = { scale: 0, place: 0 };

/** The tail of one window: D to the power c exceeds a + β·y in a block with the chance e^(−y). */
export interface Tail {
  place: number;
  scale: number;
  blockMinutes: number;
}

/**
 * The Gumbel distribution through the median and an upper quantile of the maxima (method of quantiles), shrunk
 * towards what the project lends and never below what ideal counts give.
 */
export function tailOf(
  memory: SeriesMemory,
  resolution: Resolution,
  side: Side,
  window: number,
  lent: LentTail | null,
): Tail {
  const { numbers } = memory;
  const setting = TAILS[side];
  const blocks = numbers[AT.blocks + side] as number;
  const blockMinutes = Math.max(
    BLOCK_MINUTES,
    resolution.stepMinutes,
    side === UP && blocks > 0 ? (numbers[AT.meanBlockSteps + side] as number) * resolution.stepMinutes : 0,
  );
  const trials = Math.log(blockMinutes / resolution.stepMinutes);
  const ideal = setting.power * (trials + 8) ** (setting.power - 1);
  const excess = (numbers[AT.dispersion] as number) - 1;
  const unknownScale =
    side === UP ? UNKNOWN_SCALE : Math.min(UNKNOWN_SCALE, UNKNOWN_SCALE_OF_STEADY_DROPS + excess);
  const borrowed = lent ? borrow(lent, setting.caution, unknownScale, ideal) : NOTHING_BORROWED;

  const n = Math.min(blocks, KEPT_MAXIMA[side]);
  const own =
    n === 0 ? { scale: 0, place: 0 } : readTail(setting, setting.quantile, maximaOf(memory, side, window));
  const ownScale = Math.max(ideal, own.scale);
  const leastPlace = Math.max(0, trials) ** setting.power;
  return {
    scale:
      (n * ownScale + LENT_BLOCKS * Math.max(borrowed.scale, setting.lentFactor * ideal)) / (n + LENT_BLOCKS),
    place: Math.max(
      leastPlace,
      own.place,
      (n * own.place + LENT_BLOCKS * borrowed.place) / (n + LENT_BLOCKS),
    ),
    blockMinutes,
  };
}

/**
 * In its first week a series is trusted with a part of its budget that grows with its age: what it has shown by then
 * is not yet all that it does.
 */
export function trustedBudget(
  { numbers }: SeriesMemory,
  resolution: Resolution,
  budgetPerWeek: number,
): number {
  const weeks = ((numbers[AT.age] as number) * resolution.stepMinutes) / MINUTES_PER_WEEK;
  return budgetPerWeek * Math.min(1, TRUST_AT_FIRST + (1 - TRUST_AT_FIRST) * weeks);
}

/**
 * Works out from which evidence on the windows of a side open an incident, for a budget of false incidents a week
 * that sides and windows share alike.
 */
export function calibrate(
  memory: SeriesMemory,
  resolution: Resolution,
  side: Side,
  lent: readonly LentTail[] | null,
  budgetPerWeek: number,
): void {
  for (let window = 0; window < resolution.windows.length; window++) {
    const at = placeOf(side, window);
    const tail = tailOf(memory, resolution, side, window, lent?.[at] ?? null);
    const chance = (budgetPerWeek * tail.blockMinutes) / (MINUTES_PER_WEEK * 2 * resolution.windows.length);
    const y = stretch(TAILS[side], -Math.log(Math.min(0.5, chance)));
    const power = 1 / TAILS[side].power;
    memory.numbers[AT.openThreshold + at] = (tail.place + tail.scale * y) ** power;
    memory.numbers[AT.holdThreshold + at] = (tail.place + tail.scale * HOLDING * y) ** power;
  }
}

/** How many false incidents a week evidence of this size stands for, over all windows of both sides. */
export function falseAWeek(tail: Tail, resolution: Resolution, side: Side, evidence: number): number {
  const setting = TAILS[side];
  const z = (evidence ** setting.power - tail.place) / tail.scale;
  return (
    (Math.exp(-relax(setting, z)) * MINUTES_PER_WEEK * 2 * resolution.windows.length) / tail.blockMinutes
  );
}

/** Beyond the quantile that was read, the tail is that of a generalised Pareto distribution. */
function stretch({ quantile, index }: TailSetting, y: number): number {
  const gumbel = gumbelOf(quantile);
  return y <= gumbel ? y : gumbel + Math.expm1(index * (y - gumbel)) / index;
}

function relax({ quantile, index }: TailSetting, z: number): number {
  const gumbel = gumbelOf(quantile);
  return z <= gumbel ? z : gumbel + Math.log1p(Math.max(-1, index * (z - gumbel))) / index;
}

function gumbelOf(quantile: number): number {
  return -Math.log(-Math.log(quantile));
}

const sorted = new Uint8Array(512);

function readTail({ power }: TailSetting, quantile: number, maxima: Uint8Array) {
  const own = sorted.subarray(0, maxima.length);
  own.set(maxima);
  own.sort();
  const upper = quantileOf(own, quantile) ** power;
  const median = quantileOf(own, 0.5) ** power;
  const gumbel = gumbelOf(quantile);
  const scale = (upper - median) / (gumbel - gumbelOf(0.5));
  return { scale, place: upper - gumbel * scale };
}

function quantileOf(codes: Uint8Array, quantile: number): number {
  const at = (codes.length - 1) * quantile;
  const low = Math.floor(at);
  const below = EVIDENCE.decode(codes[low] as number);
  const above = EVIDENCE.decode(codes[Math.min(low + 1, codes.length - 1)] as number);
  return below + (above - below) * (at - low);
}
