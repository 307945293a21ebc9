import type uPlot from 'uplot';
import type { Severity } from '../../lib/api-types.ts';
import { barOf, drawStripes, inPlot, type Palette } from './plot-drawing.ts';
import { layerHeights, type Slot } from './stacked-counts.ts';

const HATCH_PIXELS = 8;
/** Gap between layers, whose colours may look alike to some readers. */
const GAP_PIXELS = 1;
/** Minimum height of a bar with stripes. */
const MIN_STRIPED_PIXELS = 4;

/** Draws diagonal lines over the uncounted range: an empty plot would mean that there were no events. */
export function drawUnseen(u: uPlot, untilMs: number, palette: Palette): void {
  const { left, top, height } = u.bbox;
  const until = u.valToPos(untilMs, 'x', true);
  inPlot(u, () => {
    const { ctx } = u;
    ctx.strokeStyle = palette.line;
    ctx.lineWidth = devicePixelRatio;
    ctx.beginPath();
    for (let x = left; x < until; x += HATCH_PIXELS * devicePixelRatio) {
      ctx.moveTo(x, top + height);
      ctx.lineTo(Math.min(x + height, until), top + Math.max(0, x + height - until));
    }
    ctx.stroke();
  });
}

/** Draws bars, stacked from the mildest up to the worst severity. */
export function drawStacks(u: uPlot, slots: Slot[], severities: Severity[], palette: Palette): void {
  const { top, height } = u.bbox;
  const base = top + height;
  const pixelsPerEvent = u.valToPos(0, 'y', true) - u.valToPos(1, 'y', true) || 0;
  const gap = Math.round(GAP_PIXELS * devicePixelRatio);
  inPlot(u, () => {
    for (const slot of slots) {
      const { left, width } = barOf(u, slot);
      const heights = layerHeights(slot.counts, pixelsPerEvent, devicePixelRatio);
      let bottom = base;
      for (const severity of severities) {
        const layerHeight = heights[severity];
        if (layerHeight === 0) continue;
        const from = bottom === base ? 0 : gap;
        u.ctx.fillStyle = palette[severity];
        const box = { left, top: bottom - from - layerHeight, width, height: layerHeight };
        u.ctx.fillRect(box.left, box.top, box.width, box.height);
        if (severity === 'critical' && layerHeight > MIN_STRIPED_PIXELS * devicePixelRatio)
          drawStripes(u.ctx, box, palette.surface);
        bottom -= from + layerHeight;
      }
    }
  });
}
