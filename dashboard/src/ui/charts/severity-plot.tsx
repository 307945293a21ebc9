import { useCallback } from 'react';
import type uPlot from 'uplot';
import type { Palette } from './plot-drawing.ts';
import { drawStacks, drawUnseen } from './severity-drawing.ts';
import type { Slot } from './stacked-counts.ts';
import { TimePlot, type TimePlotProps } from './time-plot.tsx';

/** The canvas of counts by severity. */
export function SeverityPlot(
  props: Omit<TimePlotProps<Slot>, 'highest' | 'draw' | 'drawBehind'> & {
    /** The range before was not counted, and is hatched. */
    scannedFromMs?: number | undefined;
  },
) {
  const { slots, scannedFromMs } = props;
  const drawBehind = useCallback(
    (u: uPlot, palette: Palette) => {
      if (scannedFromMs !== undefined) drawUnseen(u, scannedFromMs, palette);
    },
    [scannedFromMs],
  );
  const draw = useCallback((u: uPlot, palette: Palette) => drawStacks(u, slots, palette), [slots]);
  const highest = slots.reduce((most, { total }) => Math.max(most, total), 0);
  return <TimePlot {...props} {...{ highest, draw, drawBehind }} />;
}
