import { isDrop, isRise } from '../series/evidence.ts';
import { largestDrop, type OpeningCounts, smallestRise } from '../series/opening-counts.ts';
import { DOWN, UP } from '../state/side.ts';
import { isEvaluated, type LongStep, numberOf } from './evaluate-long.ts';
import type { LongLayout, LongState } from './long-state.ts';
import { evidenceOf, mayDrop, windowsOf } from './long-windows.ts';
import { openThresholdOf } from './peaks.ts';
import { factorOf } from './week-profile.ts';

/** The smallest rise and the largest drop of each window that would open an alarm in the step that runs. */
export function openingCountsOf(
  state: LongState,
  layout: LongLayout,
  { stepMs, budgetPerWeek }: Pick<LongStep, 'stepMs' | 'budgetPerWeek'>,
): OpeningCounts[] {
  if (!isEvaluated(state, layout, UP)) return [];
  const number = numberOf(layout, stepMs);
  const running = { number, count: 0, factor: factorOf(state, layout, number) };
  const [ofRises, ofDrops] = [UP, DOWN].map((side) =>
    openThresholdOf(state, layout, side === UP ? UP : DOWN, budgetPerWeek / 2),
  );
  const { stepMinutes } = layout;
  return Array.from(windowsOf(state, layout, running), (each) => {
    const { expected } = each;
    const opens = (isEffect: typeof isRise, threshold = 0) => {
      return (count: number) => isEffect(count, expected) && evidenceOf(state, each, count) > threshold;
    };
    return {
      stepMinutes,
      windowMinutes: (layout.windows[each.window] as number) * stepMinutes, // it is one of them
      expected,
      rise: smallestRise(opens(isRise, ofRises), Math.ceil(expected)),
      drop:
        isEvaluated(state, layout, DOWN) && mayDrop(layout, each.window)
          ? largestDrop(opens(isDrop, ofDrops), Math.floor(expected))
          : null,
    };
  });
}
