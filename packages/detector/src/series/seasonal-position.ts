import { DAY_MS, HOUR_MS, MINUTE_MS, WEEK_MS } from '../state/durations.ts';
import { modulo } from '../state/modulo.ts';
import type { Resolution } from '../state/resolution.ts';

/** Place of a step in the day and in the week; the same for all series of a project. */
export interface SeasonalPosition {
  /** Slot of the day, and their number. */
  slot: number;
  slots: number;
  /** Hour of the week, and their number; longer than an hour where a step is. */
  hour: number;
  hours: number;
  slotBegins: boolean;
  hourBegins: boolean;
}

export function seasonalPositionOf(resolution: Resolution, timeMs: number): SeasonalPosition {
  const stepMs = resolution.stepMinutes * MINUTE_MS;
  const slotMs = resolution.slotMinutes * MINUTE_MS;
  const hourMs = Math.max(HOUR_MS, stepMs);
  const dayMs = modulo(timeMs, DAY_MS);
  const weekMs = modulo(timeMs, WEEK_MS);
  return {
    slot: Math.floor(dayMs / slotMs),
    slots: Math.ceil(DAY_MS / slotMs),
    hour: Math.floor(weekMs / hourMs),
    hours: Math.ceil(WEEK_MS / hourMs),
    slotBegins: modulo(dayMs, slotMs) < stepMs,
    hourBegins: modulo(weekMs, hourMs) < stepMs,
  };
}
