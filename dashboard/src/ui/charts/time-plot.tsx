import { useEffect, useEffectEvent, useRef } from 'react';
import uPlot from 'uplot';
import './time-plot.css';
import { onThemeChange } from '../../lib/theme.ts';
import type { TimeSlot } from './chart-time.ts';
import { plotOptions, type TimePlotProps } from './plot-options.ts';

/** The canvas of a chart. uPlot keeps the scales, the axes and the pointer; `draw` draws the values. */
export function TimePlot<S extends TimeSlot>(props: TimePlotProps<S>) {
  const { slots, fromMs, toMs, height, compact, topPixels, highest, draw, drawBehind } = props;
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(null);
  const hovered = useRef<S | null>(null);
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
    const widthOf = () => Math.max(1, element.clientWidth);
    const options = plotOptions({ width: widthOf(), current, onHover: hover });
    const created = new uPlot(options, toData(current().slots), element);
    plot.current = created;
    const resize = new ResizeObserver(() => created.setSize({ width: widthOf(), height }));
    resize.observe(element);
    const stopRecolouring = onThemeChange(() => created.redraw());
    return () => {
      stopRecolouring();
      resize.disconnect();
      created.destroy();
      plot.current = null;
    };
  }, [height, compact, props.onSelect === undefined]);

  useEffect(() => {
    plot.current?.setData(toData(slots));
  }, [slots, fromMs, toMs, highest, draw, drawBehind]);
  useEffect(() => {
    // Redraws the axes, too: the room above the plot has changed.
    plot.current?.redraw(false, true);
  }, [topPixels]);

  return <div ref={place} className="time-plot absolute inset-0 overflow-hidden" />;
}

/** Places each slot at its middle, so that the nearest value is the bar under the pointer. */
function toData(slots: TimeSlot[]): uPlot.AlignedData {
  return [slots.map(({ startMs, endMs }) => (startMs + endMs) / 2), slots.map(() => 0)];
}
