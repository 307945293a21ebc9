import { type Exceedance, RECOVERY_FACTOR } from '../series/alarm-state.ts';
import { isHeldDrop, isHeldRise } from '../series/evidence.ts';
import { type Side, UP } from '../state/side.ts';
import type { LongLevel } from './long-level.ts';
import type { LongStep } from './long-windows.ts';

/** Level from before an alarm opened: reported trouble may last until it is learned, and its end is no other trouble. */
export class LevelBefore {
  readonly level: LongLevel;
  readonly #side: Side;
  readonly #sinceStep: number;
  /** Last step in which the alarm was open. */
  lastOpenStep: number;

  constructor(level: LongLevel, side: Side, step: number) {
    this.level = level.copy();
    this.#side = side;
    this.#sinceStep = step;
    this.lastOpenStep = step;
  }

  get openSteps(): number {
    return this.lastOpenStep - this.#sinceStep;
  }

  /** @param steps steps of the window of the exceedance, the newest first */
  isReturn({ side, observed, expected }: Exceedance, steps: readonly LongStep[]): boolean {
    if (side === this.#side) return false;
    const before = this.#expectedIn(steps);
    if (side === UP) return expected < before && observed <= RECOVERY_FACTOR * before;
    return expected > before && observed >= before / RECOVERY_FACTOR;
  }

  /** @param steps steps of the longest window, likewise */
  isOver(steps: readonly LongStep[]): boolean {
    const known = steps.filter(({ count }) => !Number.isNaN(count));
    const observed = known.reduce((sum, { count }) => sum + count, 0);
    const isHeld = this.#side === UP ? isHeldRise : isHeldDrop;
    return known.length > 0 && !isHeld(observed, this.#expectedIn(steps));
  }

  #expectedIn(steps: readonly LongStep[]): number {
    const factors = steps.reduce((sum, { count, factor }) => (Number.isNaN(count) ? sum : sum + factor), 0);
    return this.level.level * factors;
  }
}
