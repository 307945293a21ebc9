import type uPlot from 'uplot';
import type { TimeSlot } from './chart-time.ts';
import { expectedPieces, type ObservedSlot } from './observed-slots.ts';
import { barOf, drawOpenBar, inPlot, type Palette } from './plot-drawing.ts';

/** Minimum height of a bar: less than a pixel would be invisible. */
const MIN_BAR_PIXELS = 2;
/** Number of standard deviations that hold 95% of a normal distribution. */
const DEVIATIONS = 1.96;

export function drawObserved(u: uPlot, slots: ObservedSlot[], colour: string): void {
  const base = u.bbox.top + u.bbox.height;
  inPlot(u, () => {
    u.ctx.fillStyle = colour;
    for (const slot of slots) {
      if (slot.observed === 0) continue;
      const { left, width } = barOf(u, slot);
      const height = Math.max(MIN_BAR_PIXELS * devicePixelRatio, base - u.valToPos(slot.observed, 'y', true));
      if (slot.isRunning) drawOpenBar(u.ctx, { left, top: base - height, width, height }, colour);
      else u.ctx.fillRect(left, base - height, width, height);
    }
  });
}

/**
 * Draws a line in steps, each as long as its slot, at its expected count. For counts also draws a band: the range in which 95 of 100
 * counts lie by chance alone, by the normal approximation of a Poisson distribution; real traffic varies more.
 */
export function drawExpected(u: uPlot, slots: ObservedSlot[], palette: Palette, withBand: boolean): void {
  const { ctx } = u;
  const base = u.bbox.top + u.bbox.height;
  // An expected count of 0 lies on the axis, and would be cut in half.
  const lowest = base - devicePixelRatio;
  inPlot(u, () => {
    ctx.strokeStyle = palette.expected;
    ctx.fillStyle = palette.expected;
    for (const piece of expectedPieces(slots)) {
      ctx.beginPath();
      for (const [index, { startMs, endMs, expected }] of piece.entries()) {
        const y = Math.min(u.valToPos(expected, 'y', true), lowest);
        const [startX, endX] = [u.valToPos(startMs, 'x', true), u.valToPos(endMs, 'x', true)];
        if (index === 0) ctx.moveTo(startX, y);
        else ctx.lineTo(startX, y);
        ctx.lineTo(endX, y);
        if (!withBand) continue;
        const deviation = DEVIATIONS * Math.sqrt(expected);
        const top = u.valToPos(expected + deviation, 'y', true);
        const bottom = Math.min(base, u.valToPos(Math.max(0, expected - deviation), 'y', true));
        ctx.globalAlpha = 0.15;
        ctx.fillRect(startX, top, endX - startX, bottom - top);
      }
      ctx.lineWidth = devicePixelRatio;
      ctx.globalAlpha = 0.8;
      ctx.stroke();
    }
  });
}

/** Draws a marked window behind the bars, with its edges. */
export function drawMark(u: uPlot, { startMs, endMs }: TimeSlot, palette: Palette): void {
  const { top, height } = u.bbox;
  const left = Math.round(u.valToPos(startMs, 'x', true));
  const right = Math.round(u.valToPos(endMs, 'x', true));
  const edge = Math.max(1, Math.round(devicePixelRatio));
  inPlot(u, () => {
    u.ctx.fillStyle = palette.mark;
    u.ctx.fillRect(left, top, Math.max(edge, right - left), height);
    u.ctx.fillStyle = palette.markEdge;
    u.ctx.fillRect(left, top, edge, height);
    u.ctx.fillRect(Math.max(left, right - edge), top, edge, height);
  });
}
