import { useEffect, useEffectEvent, useRef } from 'react';
import uPlot from 'uplot';
import './severity-chart.css';
import { formatCompact } from '../lib/format.ts';
import { labelTimes } from './chart-time.ts';
import { drawBars, drawExpected, drawMark, readPalette } from './severity-drawing.ts';
import type { Slot } from './stacked-counts.ts';

export interface SeverityPlotProps {
  slots: Slot[];
  fromMs: number;
  toMs: number;
  height: number;
  compact: boolean;
  expectedPerSlot: number | undefined;
  markFromMs: number | undefined;
  markToMs: number | undefined;
  /** The slot under the pointer. */
  onHover: (slot: Slot | null) => void;
  /** Unset: nothing can be selected. */
  onSelect: ((fromMs: number, toMs: number) => void) | undefined;
  onDoubleClick: (() => void) | undefined;
}

const FONT = '12px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif';
/** Less of a drag is a click with an unsteady hand. */
const MIN_DRAG_PIXELS = 4;
/** Room for half of the last label. */
const EDGE_PIXELS = 20;
/** Room over the highest bar. */
const HEADROOM = 1.1;

/** The canvas of the chart. uPlot keeps the scales, the axes and the pointer; bars are drawn by ourselves. */
export function SeverityPlot(props: SeverityPlotProps) {
  const { slots, fromMs, toMs, height, compact, expectedPerSlot, markFromMs, markToMs } = props;
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(null);
  const hovered = useRef<Slot | null>(null);
  const current = useEffectEvent(() => props);
  const hover = useEffectEvent((index: number | null | undefined) => {
    const slot = (index != null && props.slots[index]) || null;
    if (slot === hovered.current) return;
    hovered.current = slot;
    props.onHover(slot);
  });

  useEffect(() => {
    const element = place.current;
    if (!element) return undefined;
    const palette = { colours: readPalette() };
    const options: uPlot.Options = {
      width: Math.max(1, element.clientWidth),
      height,
      ms: 1,
      legend: { show: false },
      padding: [8, EDGE_PIXELS, 0, compact ? EDGE_PIXELS : 0],
      scales: {
        x: { time: true, range: () => bounds(current()) },
        y: { range: () => [0, highest(current()) * HEADROOM] },
      },
      axes: [
        {
          stroke: () => palette.colours.text,
          font: FONT,
          size: 24,
          space: 72,
          gap: 4,
          values: (_plot, splits, _axis, _space, stepMs) => labelTimes(splits, stepMs),
          grid: { show: false },
          ticks: { stroke: () => palette.colours.line, width: 1, size: 4 },
        },
        {
          show: !compact,
          stroke: () => palette.colours.text,
          font: FONT,
          size: 44,
          space: 36,
          gap: 6,
          incrs: WHOLE_STEPS,
          values: (_plot, splits) => splits.map(formatCompact),
          grid: { stroke: () => palette.colours.line, width: 1 },
          ticks: { show: false },
        },
      ],
      // One series gives the pointer its index; it is not drawn.
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
            const { markFromMs: markFrom, markToMs: markTo } = current();
            if (markFrom !== undefined && markTo !== undefined)
              drawMark(u, markFrom, markTo, palette.colours);
          },
        ],
        draw: [
          (u) => {
            drawBars(u, current().slots, palette.colours);
            const { expectedPerSlot: expected } = current();
            if (expected !== undefined) drawExpected(u, expected, palette.colours);
          },
        ],
        setCursor: [(u) => hover(u.cursor.idx)],
        setSelect: [
          (u) => {
            const { left, width } = u.select;
            if (width < MIN_DRAG_PIXELS) return;
            u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
            current().onSelect?.(u.posToVal(left, 'x'), u.posToVal(left + width, 'x'));
          },
        ],
      },
    };
    const created = new uPlot(options, toData(current().slots), element);
    plot.current = created;
    const resize = new ResizeObserver(() =>
      created.setSize({ width: Math.max(1, element.clientWidth), height }),
    );
    resize.observe(element);
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    const recolour = () => created.redraw();
    scheme.addEventListener('change', recolour);
    return () => {
      scheme.removeEventListener('change', recolour);
      resize.disconnect();
      created.destroy();
      plot.current = null;
    };
  }, [height, compact, props.onSelect === undefined]);

  useEffect(() => {
    plot.current?.setData(toData(slots));
  }, [slots, fromMs, toMs, expectedPerSlot, markFromMs, markToMs]);

  return <div ref={place} className="severity-chart absolute inset-0 overflow-hidden" />;
}

/** Counts are whole: no axis says 0.5. */
const WHOLE_STEPS = Array.from({ length: 12 }, (_, power) =>
  [1, 2, 5].map((step) => step * 10 ** power),
).flat();

/** A slot's value stands at its middle, so that the nearest value is the bar under the pointer. */
function toData(slots: Slot[]): uPlot.AlignedData {
  return [slots.map(({ startMs, endMs }) => (startMs + endMs) / 2), slots.map(({ total }) => total)];
}

/** Whole bars: the newest one, which is hardly begun, is the one that is looked at. */
function bounds({ slots, fromMs, toMs }: SeverityPlotProps): [number, number] {
  return [Math.min(fromMs, slots[0]?.startMs ?? fromMs), Math.max(toMs, slots.at(-1)?.endMs ?? toMs)];
}

function highest({ slots, expectedPerSlot = 0 }: SeverityPlotProps): number {
  return slots.reduce((most, { total }) => Math.max(most, total), Math.max(1, expectedPerSlot));
}
