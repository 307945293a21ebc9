import type uPlot from 'uplot';
import type { Severity } from '../../lib/api-types.ts';
import type { TimeSlot } from './chart-time.ts';

export interface Palette extends Record<Severity, string> {
  /** Of counts of no severity. */
  plain: string;
  text: string;
  line: string;
  mark: string;
  markEdge: string;
  expected: string;
}

/** The theme's colours as they are now: a canvas knows no CSS variables. */
export function readPalette(): Palette {
  const style = getComputedStyle(document.documentElement);
  const read = (name: string) => style.getPropertyValue(name).trim();
  return {
    info: read('--info-fill'),
    warn: read('--warn-fill'),
    error: read('--error-fill'),
    critical: read('--critical-fill'),
    plain: read('--plain-fill'),
    text: read('--text-muted'),
    line: read('--line'),
    mark: read('--bad-soft'),
    markEdge: read('--critical'),
    expected: read('--text'),
  };
}

/** Where a slot's bar stands: from its start to its end, a hair apart from the next. */
export function barOf(u: uPlot, { startMs, endMs }: TimeSlot): { left: number; width: number } {
  const left = Math.round(u.valToPos(startMs, 'x', true));
  const right = Math.round(u.valToPos(endMs, 'x', true));
  return { left, width: Math.max(1, right - left - (right - left > 3 ? 1 : 0)) };
}

/** Draws nothing beyond the axes. */
export function inPlot(u: uPlot, draw: () => void): void {
  const { left, top, width, height } = u.bbox;
  u.ctx.save();
  u.ctx.beginPath();
  u.ctx.rect(left, top, width, height);
  u.ctx.clip();
  draw();
  u.ctx.restore();
}
