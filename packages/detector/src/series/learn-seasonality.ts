import type { Pace } from '../state/resolution.ts';
import { AT, DOWN, type SeriesMemory } from '../state/series-state.ts';
import { minutesSinceOpening } from './alarm-state.ts';
import { lowerNight, type Moment, NIGHT_MINUTES, widen } from './seasonality.ts';
import type { WindowScan } from './windows.ts';

/** Of an outage the time of day learns only once it is as long as a night, and then from its beginning on. */
export function learnTimeOfDay(
  memory: SeriesMemory,
  scan: WindowScan,
  pace: Pace,
  moment: Moment,
  isOutage: boolean,
): void {
  const { numbers } = memory;
  if (isOutage) {
    const minutes = minutesSinceOpening(numbers, pace, DOWN);
    if (minutes < NIGHT_MINUTES) return;
    if (minutes < NIGHT_MINUTES + pace.stepMinutes) lowerNight(memory, pace, moment);
  }
  const dispersion = numbers[AT.dispersion] as number;
  for (let i = 0; i < pace.windows.length; i++) {
    const known = scan.known[i] as number;
    if (known > 0) widen(numbers, scan.observed[i] as number, known, dispersion, i >= pace.firstLongWindow);
  }
}
