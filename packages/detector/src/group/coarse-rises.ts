import { isOpen } from '../series/alarm-state.ts';
import { describeRise, isRiseOver } from '../series/end-of-rise.ts';
import { seasonalPositionOf } from '../series/seasonal-position.ts';
import { MINUTE_MS } from '../state/durations.ts';
import type { CoarseStep } from '../state/resolution.ts';
import { UP } from '../state/side.ts';
import { closeRise } from './running-step.ts';
import type { SeriesGroup } from './series-group.ts';

interface CoarseRises {
  groups: readonly { step: CoarseStep; group: SeriesGroup }[];
  /** Group of the shortest coarse step, whose last step ends at `endMs`. */
  shortest: SeriesGroup;
  endMs: number;
  /** True if all that rose with a series at the minute is over. */
  othersAreOver: (index: number) => boolean;
  report: (step: CoarseStep, index: number) => void;
}

/** Closes rises at all coarse steps that the last half hours show to be over: longer steps end late. */
export function closeRisesThatAreOver({ groups, shortest, endMs, othersAreOver, report }: CoarseRises): void {
  const { resolution, series: halfHours } = shortest;
  const beganMs = endMs - resolution.stepMinutes * MINUTE_MS;
  const lastHalfHour = { resolution, position: seasonalPositionOf(resolution, beganMs) };
  for (const { step, group } of groups) {
    const running = { resolution: group.resolution, position: seasonalPositionOf(group.resolution, endMs) };
    for (const index of halfHours.indices()) {
      const { state, count } = group.series.read(index);
      if (!isOpen(state, UP)) continue;
      const rise = describeRise(state, running, count, group.series.workspace);
      const ending = { ...rise, othersAreOver: othersAreOver(index) };
      if (!isRiseOver(halfHours.read(index).state, lastHalfHour, ending, halfHours.workspace)) continue;
      closeRise(group.series.change(index));
      report(step, index);
    }
  }
}
