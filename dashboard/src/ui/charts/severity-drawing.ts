import type uPlot from 'uplot';
import { SEVERITIES } from '../../lib/severity.ts';
import { barOf, inPlot, type Palette } from './plot-drawing.ts';
import { layerHeights, type Slot } from './stacked-counts.ts';

const HATCH_PIXELS = 8;

/** Diagonal lines where nothing was counted: an empty plot would say that there was nothing. */
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

/** Bars, stacked from info up to critical. */
export function drawStacks(u: uPlot, slots: Slot[], palette: Palette): void {
  const { top, height } = u.bbox;
  const base = top + height;
  const pixelsPerEvent = u.valToPos(0, 'y', true) - u.valToPos(1, 'y', true) || 0;
  inPlot(u, () => {
    for (const slot of slots) {
      if (slot.total === 0) continue;
      const { left, width } = barOf(u, slot);
      const heights = layerHeights(slot.counts, pixelsPerEvent, devicePixelRatio);
      let bottom = base;
      for (const [layer, layerHeight] of heights.entries()) {
        const severity = SEVERITIES[layer];
        if (!severity || layerHeight === 0) continue;
        u.ctx.fillStyle = palette[severity];
        u.ctx.fillRect(left, bottom - layerHeight, width, layerHeight);
        bottom -= layerHeight;
      }
    }
  });
}
