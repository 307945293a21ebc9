import type { SeriesState } from '../state/series-state.ts';
import { type Side, UP } from '../state/side.ts';
import { type AlarmChange, type Exceedance, isRecovery } from './alarm-state.ts';
import { evidenceDown, evidenceUp, isDrop, isRise, sizeOfDrop } from './evidence.ts';
import { bandOfWeek, isSeasonal, shiftedHigh } from './seasonality.ts';
import type { WindowCounts } from './windows.ts';
import type { PartialContext } from './workspace.ts';

/** Returns an exceedance as an alarm, as a recovery, or as suppressed: by a small effect, or by the hour of the week. */
export function classify(
  state: SeriesState,
  { resolution, position, isErrorSeries }: PartialContext,
  exceedance: Exceedance,
  windows: WindowCounts,
): AlarmChange {
  const { side, observed, knownSteps, openThreshold } = exceedance;
  const isEffect = side === UP ? isRise : isDrop;
  if (!isEffect(observed, exceedance.expected)) {
    return { kind: 'suppressed', reason: 'small-effect', ...exceedance };
  }
  if (isRecovery(state, resolution, exceedance)) return { kind: 'recovers', ...exceedance };
  const week = bandOfWeek(state, position);
  const rateOfDay = exceedance.expected / knownSteps;
  // The errors of last week's incident are not usual at its hour.
  const highOfWeek = () =>
    isErrorSeries ? 0 : Math.max(week.high, shiftedHigh(state, resolution, position));
  const bandRate = side === UP ? highOfWeek() : week.low;
  const rate = expectedRate(side, rateOfDay, bandRate);
  const expected = rate * knownSteps;
  if (!isEffect(observed, expected) || evidenceOf(state, windows, exceedance, expected) <= openThreshold) {
    return { kind: 'suppressed', reason: 'hour-of-week', ...exceedance };
  }
  // The level of coarse steps includes the time of the day.
  const levels = resolution.isCoarse ? windows.meanLevel : windows.level;
  const level = levels[exceedance.window] as number; // it is below the number of windows
  const season = isSeasonal(rate, level) && ({ season: rate === rateOfDay ? 'day' : 'week' } as const);
  return { kind: 'opens', ...exceedance, expected, ...season };
}

/** Returns the level, extended by the rate that the season makes normal. */
export function expectedRate(side: Side, level: number, bandRate: number): number {
  return side === UP ? Math.max(level, bandRate) : Math.min(level, bandRate);
}

export function evidenceOf(
  state: SeriesState,
  windows: WindowCounts,
  { side, window }: Pick<Exceedance, 'side' | 'window'>,
  expected: number,
): number {
  const observed = windows.observed[window] as number; // `window` is below the number of windows
  const shape = windows.shape[window] as number;
  if (side === UP) return evidenceUp(observed, expected, state.dispersion, shape);
  const known = windows.known[window] as number;
  const levelOfWindow = known * (windows.level[window] as number);
  return evidenceDown(observed, expected, sizeOfDrop(state.dispersion, shape, levelOfWindow, known));
}
