import { useCallback } from 'react';
import type uPlot from 'uplot';
import type { Severity } from '../../lib/api-types.ts';
import type { TimeSlot } from './chart-time.ts';
import { drawExpected, drawMark, drawObserved } from './observed-drawing.ts';
import type { ObservedSlot } from './observed-slots.ts';
import type { Palette } from './plot-drawing.ts';
import type { TimePlotProps } from './plot-options.ts';
import { TimePlot } from './time-plot.tsx';

type ObservedPlotProps = Pick<
  TimePlotProps<ObservedSlot>,
  'slots' | 'fromMs' | 'toMs' | 'height' | 'topPixels' | 'onHover'
> & {
  severity: Severity;
  mark: TimeSlot | undefined;
  /** True if the values are counts, whose range by chance is known. */
  areCounts: boolean;
};

const NO_WINDOW: TimeSlot = { startMs: 0, endMs: 0 };

/** The canvas of observed and expected counts. */
export function ObservedPlot({ severity, mark, areCounts, ...rest }: ObservedPlotProps) {
  const { slots } = rest;
  const { startMs, endMs } = mark ?? NO_WINDOW;
  const draw = useCallback(
    (u: uPlot, palette: Palette) => {
      drawObserved(u, slots, palette[severity]);
      drawExpected(u, slots, palette, areCounts);
    },
    [slots, severity, areCounts],
  );
  const drawBehind = useCallback(
    (u: uPlot, palette: Palette) => {
      if (startMs < endMs) drawMark(u, { startMs, endMs }, palette);
    },
    [startMs, endMs],
  );
  const highest = slots.reduce((most, { observed, expected }) => Math.max(most, observed, expected ?? 0), 0);
  return <TimePlot {...rest} {...{ highest, draw, drawBehind }} />;
}
