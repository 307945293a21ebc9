import uPlot from 'uplot';
import { formatCompact } from '../../lib/format.ts';
import { TIME_ZONE } from '../../lib/time-zone.ts';
import { labelTimes, type TimeSlot } from './chart-time.ts';
import { type Palette, readPalette } from './plot-drawing.ts';
import {
  COMPACT_AXIS_PIXELS,
  COUNT_AXIS_PIXELS,
  EDGE_PIXELS,
  plotRange,
  TIME_AXIS_PIXELS,
} from './plot-frame.ts';

type Draw = (u: uPlot, palette: Palette) => void;

export interface TimePlotProps<S extends TimeSlot> {
  slots: S[];
  fromMs: number;
  toMs: number;
  height: number;
  /** True for a plot without a count axis. */
  compact?: boolean;
  /** Room above the highest bar in pixels. */
  topPixels: number;
  /** Highest value. */
  highest: number;
  /** Draws the values. A new function redraws the plot, as any other changed property does. */
  draw: Draw;
  /** Draws behind the axes. */
  drawBehind?: Draw;
  /** Called with the slot under the pointer. */
  onHover: (slot: S | null) => void;
  /** Called with the bounds of a dragged range; unset if nothing can be selected. */
  onSelect?: ((fromMs: number, toMs: number) => void) | undefined;
  onDoubleClick?: (() => void) | undefined;
}

/** Minimum drag; a shorter one is a click with an unsteady hand. */
const MIN_DRAG_PIXELS = 4;
/** Factor of the axis over the highest bar. */
const HEADROOM = 1.1;
const FONT = '12px Inter, "Like Inter", system-ui, sans-serif';

type PlotProps = Omit<TimePlotProps<TimeSlot>, 'onHover'>;

interface PlotSource {
  width: number;
  /** Returns the present properties of the component. */
  current: () => PlotProps;
  onHover: (index: number | null | undefined) => void;
}

/** Returns the options of a plot that keeps the scales, the axes and the pointer, and lets the component draw the values. */
export function plotOptions({ width, current, onHover }: PlotSource): uPlot.Options {
  const { height, compact = false } = current();
  const palette = { colours: readPalette() };
  return {
    width,
    height,
    ms: 1,
    ...(TIME_ZONE && { tzDate: (timeMs: number) => uPlot.tzDate(new Date(timeMs), TIME_ZONE ?? '') }),
    legend: { show: false },
    padding: [() => current().topPixels, EDGE_PIXELS, 0, compact ? COMPACT_AXIS_PIXELS : 0],
    scales: {
      x: {
        time: true,
        range: () => {
          const { slots, fromMs, toMs } = current();
          const { startMs, endMs } = plotRange(slots, { startMs: fromMs, endMs: toMs });
          return [startMs, endMs];
        },
      },
      y: { range: () => [0, Math.max(1, current().highest) * HEADROOM] },
    },
    axes: axesOf(palette, compact),
    // The series gives the pointer its index; it is not drawn.
    series: [{}, { show: true, paths: () => null, points: { show: false } }],
    cursor: {
      y: false,
      points: { show: false },
      drag: { x: current().onSelect !== undefined, y: false, setScale: false, dist: MIN_DRAG_PIXELS },
      bind: {
        dblclick: () => () => {
          current().onDoubleClick?.();
          return null;
        },
      },
    },
    hooks: {
      drawClear: [
        (u) => {
          palette.colours = readPalette();
          current().drawBehind?.(u, palette.colours);
        },
      ],
      draw: [
        (u) => {
          current().draw(u, palette.colours);
          if (compact) drawTop(u, current().highest, palette.colours);
        },
      ],
      setCursor: [(u) => onHover(u.cursor.idx)],
      setSelect: [(u) => endDrag(u, current())],
    },
  };
}

function axesOf(palette: { colours: Palette }, compact: boolean): uPlot.Axis[] {
  return [
    {
      stroke: () => palette.colours.text,
      font: FONT,
      size: TIME_AXIS_PIXELS,
      space: 72,
      gap: 4,
      // oxlint-disable-next-line max-params -- the signature is uPlot's
      values: (_plot, splits, _axis, _space, stepMs) => labelTimes(splits, stepMs),
      grid: { show: false },
      ticks: { stroke: () => palette.colours.line, width: 1, size: 4 },
    },
    {
      show: !compact,
      stroke: () => palette.colours.text,
      font: FONT,
      size: COUNT_AXIS_PIXELS,
      space: 36,
      gap: 6,
      incrs: WHOLE_STEPS,
      values: (_plot, splits) => splits.map(formatCompact),
      grid: { stroke: () => palette.colours.line, width: 1 },
      ticks: { show: false },
    },
  ];
}

/** Removes the frame of a drag, and reports its range. */
function endDrag(u: uPlot, { onSelect }: PlotProps): void {
  const { left, width } = u.select;
  if (width < MIN_DRAG_PIXELS) return;
  u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  onSelect?.(u.posToVal(left, 'x'), u.posToVal(left + width, 'x'));
}

/** Draws the highest value, for a plot without a count axis. */
function drawTop(u: uPlot, highest: number, { text, line }: Palette): void {
  if (highest === 0) return;
  const { ctx, bbox } = u;
  const y = u.valToPos(highest, 'y', true);
  ctx.save();
  ctx.fillStyle = line;
  ctx.fillRect(bbox.left, y - devicePixelRatio, bbox.width, devicePixelRatio);
  ctx.fillStyle = text;
  ctx.font = FONT.replace('12px', `${11 * devicePixelRatio}px`);
  ctx.textAlign = 'right';
  ctx.textBaseline = 'middle';
  ctx.fillText(formatCompact(highest), bbox.left - 4 * devicePixelRatio, y);
  ctx.restore();
}

/** Steps of the count axis: counts are whole numbers. */
const WHOLE_STEPS = Array.from({ length: 12 }, (_, power) =>
  [1, 2, 5].map((step) => step * 10 ** power),
).flat();
