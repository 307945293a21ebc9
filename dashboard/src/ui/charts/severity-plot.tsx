import { useCallback } from 'react';
import type uPlot from 'uplot';
import type { Severity } from '../../lib/api-types.ts';
import type { Palette } from './plot-drawing.ts';
import type { TimePlotProps } from './plot-options.ts';
import { drawStacks, drawUnseen } from './severity-drawing.ts';
import type { Slot } from './stacked-counts.ts';
import { TimePlot } from './time-plot.tsx';

/** The canvas of counts by severity. */
export function SeverityPlot({
  front,
  scannedFromMs,
  ...rest
}: Omit<TimePlotProps<Slot>, 'highest' | 'draw' | 'drawBehind'> & {
  /** Severities that are drawn as bars. */
  front: Severity[];
  /** Time from which events were counted; the range before is hatched. */
  scannedFromMs?: number | undefined;
}) {
  const { slots } = rest;
  const drawBehind = useCallback(
    (u: uPlot, palette: Palette) => {
      if (scannedFromMs !== undefined) drawUnseen(u, scannedFromMs, palette);
    },
    [scannedFromMs],
  );
  const draw = useCallback(
    (u: uPlot, palette: Palette) => drawStacks(u, slots, front, palette),
    [slots, front],
  );
  const highest = slots.reduce(
    (most, { counts }) =>
      Math.max(
        most,
        front.reduce((sum, severity) => sum + counts[severity], 0),
      ),
    0,
  );
  return <TimePlot {...rest} {...{ highest, draw, drawBehind }} />;
}
