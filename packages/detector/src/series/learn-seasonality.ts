import type { Resolution } from '../state/resolution.ts';
import { AT, DOWN, type SeriesMemory } from '../state/series-state.ts';
import { minutesSinceOpening } from './alarm-state.ts';
import { extendBand, markNight, NIGHT_MINUTES, type SeasonalPosition } from './seasonality.ts';
import type { WindowCounts } from './windows.ts';

/** Of an outage the time of day learns only once it is as long as a night, and then from its beginning on. */
export function learnSeasonality(
  memory: SeriesMemory,
  scan: WindowCounts,
  resolution: Resolution,
  position: SeasonalPosition,
  isOutage: boolean,
): void {
  const { numbers } = memory;
  if (isOutage) {
    const minutes = minutesSinceOpening(numbers, resolution, DOWN);
    if (minutes < NIGHT_MINUTES) return;
    if (minutes < NIGHT_MINUTES + resolution.stepMinutes) markNight(memory, resolution, position);
  }
  const dispersion = numbers[AT.dispersion] as number;
  for (let i = 0; i < resolution.windows.length; i++) {
    const known = scan.known[i] as number;
    if (known > 0)
      extendBand(numbers, scan.observed[i] as number, known, dispersion, i >= resolution.firstLongWindow);
  }
}
