import type uPlot from 'uplot';
import type { Severity } from '../../lib/api-types.ts';
import type { TimeSlot } from './chart-time.ts';

export interface Palette extends Record<Severity, string> {
  text: string;
  line: string;
  mark: string;
  markEdge: string;
  expected: string;
  surface: string;
}

/** Reads the present colours of the theme: a canvas knows no CSS variables. */
export function readPalette(): Palette {
  // The value of a variable is an expression for both themes, that of a property is a colour.
  const probe = document.body.appendChild(document.createElement('i'));
  const style = getComputedStyle(probe);
  const read = (name: string) => {
    probe.style.color = `var(${name})`;
    return style.color;
  };
  const palette = {
    info: read('--info-fill'),
    warn: read('--warn-fill'),
    error: read('--error-fill'),
    critical: read('--critical-fill'),
    text: read('--text-muted'),
    line: read('--line'),
    mark: read('--bad-soft'),
    markEdge: read('--critical'),
    expected: read('--text'),
    surface: read('--surface'),
  };
  probe.remove();
  return palette;
}

/** Returns the position of a slot's bar: from its start to its end, with a small gap before the next. */
export function barOf(u: uPlot, { startMs, endMs }: TimeSlot): { left: number; width: number } {
  const left = Math.round(u.valToPos(startMs, 'x', true));
  const right = Math.round(u.valToPos(endMs, 'x', true));
  return { left, width: Math.max(1, right - left - (right - left > 3 ? 1 : 0)) };
}

/** Clips a drawing at the axes. */
export function inPlot(u: uPlot, draw: () => void): void {
  const { left, top, width, height } = u.bbox;
  u.ctx.save();
  u.ctx.beginPath();
  u.ctx.rect(left, top, width, height);
  u.ctx.clip();
  draw();
  u.ctx.restore();
}

interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

const HATCH_PIXELS = 5;

/** Draws a bar that may still grow: diagonal lines in an outline. */
export function drawOpenBar(ctx: CanvasRenderingContext2D, box: Box, colour: string): void {
  hatch(ctx, box, colour, true);
}

/** Draws diagonal lines over a bar, so that it differs without colour, too. */
export function drawStripes(ctx: CanvasRenderingContext2D, box: Box, colour: string): void {
  hatch(ctx, box, colour, false);
}

function hatch(
  ctx: CanvasRenderingContext2D,
  { left, top, width, height }: Box,
  colour: string,
  withOutline: boolean,
): void {
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
  if (withOutline) ctx.rect(left, top, width, height);
  ctx.strokeStyle = colour;
  ctx.lineWidth = (withOutline ? 1.5 : 1) * devicePixelRatio;
  ctx.stroke();
  ctx.restore();
}
