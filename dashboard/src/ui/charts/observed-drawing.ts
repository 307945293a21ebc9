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
 * Draws a line in steps, each as long as its slot, at its expected count. For counts also draws two hairlines: the bounds within
 * which 95 of 100 counts lie by chance alone, by the normal approximation of a Poisson distribution; real traffic varies more.
 */
export function drawExpected(u: uPlot, slots: ObservedSlot[], palette: Palette, withBand: boolean): void {
  const bounds = withBand ? [-DEVIATIONS, DEVIATIONS] : [];
  inPlot(u, () => {
    u.ctx.strokeStyle = palette.expected;
    u.ctx.lineWidth = devicePixelRatio;
    for (const piece of expectedPieces(slots)) {
      u.ctx.globalAlpha = 0.45;
      for (const deviations of bounds)
        strokeSteps(u, piece, (expected) => expected + deviations * Math.sqrt(expected));
      u.ctx.globalAlpha = 0.9;
      strokeSteps(u, piece, (expected) => expected);
    }
  });
}

/** Draws a line in steps over adjacent slots. */
function strokeSteps(
  u: uPlot,
  piece: ReturnType<typeof expectedPieces>[number],
  valueOf: (expected: number) => number,
): void {
  const { ctx, bbox } = u;
  // Half of a line on the axis would be cut off: 0 is drawn just above it.
  const lowest = bbox.top + bbox.height - devicePixelRatio;
  ctx.beginPath();
  for (const { startMs, endMs, expected } of piece) {
    const y = Math.min(u.valToPos(Math.max(0, valueOf(expected)), 'y', true), lowest);
    // The first of a path begins it.
    ctx.lineTo(u.valToPos(startMs, 'x', true), y);
    ctx.lineTo(u.valToPos(endMs, 'x', true), y);
  }
  ctx.stroke();
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
