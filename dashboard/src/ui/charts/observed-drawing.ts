import type uPlot from 'uplot';
import type { TimeSlot } from './chart-time.ts';
import { expectedPieces, type ObservedSlot } from './observed-slots.ts';
import { barOf, inPlot, type Palette } from './plot-drawing.ts';

/** Less than a pixel would look like nothing. */
const MIN_BAR_PIXELS = 2;
const BAND_PIXELS = 4;
const HATCH_PIXELS = 5;

export function drawObserved(u: uPlot, slots: ObservedSlot[], colour: string): void {
  const base = u.bbox.top + u.bbox.height;
  inPlot(u, () => {
    u.ctx.fillStyle = colour;
    for (const slot of slots) {
      if (slot.observed === 0) continue;
      const { left, width } = barOf(u, slot);
      const height = Math.max(MIN_BAR_PIXELS * devicePixelRatio, base - u.valToPos(slot.observed, 'y', true));
      if (slot.isRunning) hatch(u.ctx, { left, top: base - height, width, height }, colour);
      else u.ctx.fillRect(left, base - height, width, height);
    }
  });
}

interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Diagonal lines in an outline: a bar that may grow. */
function hatch(ctx: CanvasRenderingContext2D, { left, top, width, height }: Box, colour: string): void {
  const step = HATCH_PIXELS * devicePixelRatio;
  ctx.save();
  ctx.beginPath();
  ctx.rect(left, top, width, height);
  ctx.clip();
  ctx.beginPath();
  for (let x = left - height; x < left + width; x += step) {
    ctx.moveTo(x, top + height);
    ctx.lineTo(x + height, top);
  }
  ctx.rect(left, top, width, height);
  ctx.strokeStyle = colour;
  ctx.lineWidth = 1.5 * devicePixelRatio;
  ctx.stroke();
  ctx.restore();
}

/** A line in a thin band, in steps: each as long as its slot, at its expected count. */
export function drawExpected(u: uPlot, slots: ObservedSlot[], palette: Palette): void {
  const { ctx } = u;
  // Nothing expected lies on the axis, and would be cut in half.
  const lowest = u.bbox.top + u.bbox.height - devicePixelRatio;
  inPlot(u, () => {
    ctx.beginPath();
    for (const piece of expectedPieces(slots)) {
      for (const [index, { startMs, endMs, expected }] of piece.entries()) {
        const y = Math.min(u.valToPos(expected, 'y', true), lowest);
        const startX = u.valToPos(startMs, 'x', true);
        if (index === 0) ctx.moveTo(startX, y);
        else ctx.lineTo(startX, y);
        ctx.lineTo(u.valToPos(endMs, 'x', true), y);
      }
    }
    ctx.strokeStyle = palette.expected;
    for (const [pixels, alpha] of [
      [BAND_PIXELS, 0.2],
      [1, 0.7],
    ] as const) {
      ctx.lineWidth = pixels * devicePixelRatio;
      ctx.globalAlpha = alpha;
      ctx.stroke();
    }
  });
}

/** A marked window behind the bars, with its edges. */
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
