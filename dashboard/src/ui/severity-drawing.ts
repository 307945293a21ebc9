import type uPlot from 'uplot';
import type { Severity } from '../lib/api-types.ts';
import { SEVERITIES } from '../lib/severity.ts';
import { layerHeights, type Slot } from './stacked-counts.ts';

export interface Palette extends Record<Severity, string> {
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
    text: read('--text-muted'),
    line: read('--line'),
    mark: read('--bad-soft'),
    markEdge: read('--critical'),
    expected: read('--text'),
  };
}

/** Bars from the slots' starts to their ends, a hair apart, stacked from info up to critical. */
export function drawBars(u: uPlot, slots: Slot[], palette: Palette): void {
  const { top, height } = u.bbox;
  const base = top + height;
  const pixelsPerEvent = u.valToPos(0, 'y', true) - u.valToPos(1, 'y', true) || 0;
  inPlot(u, () => {
    for (const { startMs, endMs, counts, total } of slots) {
      if (total === 0) continue;
      const left = Math.round(u.valToPos(startMs, 'x', true));
      const right = Math.round(u.valToPos(endMs, 'x', true));
      const width = Math.max(1, right - left - (right - left > 3 ? 1 : 0));
      let bottom = base;
      for (const [layer, layerHeight] of layerHeights(counts, pixelsPerEvent, devicePixelRatio).entries()) {
        const severity = SEVERITIES[layer];
        if (!severity || layerHeight === 0) continue;
        u.ctx.fillStyle = palette[severity];
        u.ctx.fillRect(left, bottom - layerHeight, width, layerHeight);
        bottom -= layerHeight;
      }
    }
  });
}

const BAND_PIXELS = 4;

/** A thin band at what was to be expected in each slot. */
export function drawExpected(u: uPlot, perSlot: number, palette: Palette): void {
  const { left, top, width, height } = u.bbox;
  const ratio = devicePixelRatio;
  const middle = Math.min(u.valToPos(perSlot, 'y', true), top + height - ratio);
  inPlot(u, () => {
    u.ctx.fillStyle = palette.expected;
    u.ctx.globalAlpha = 0.2;
    u.ctx.fillRect(left, middle - (BAND_PIXELS * ratio) / 2, width, BAND_PIXELS * ratio);
    u.ctx.globalAlpha = 0.7;
    u.ctx.fillRect(left, Math.round(middle - ratio / 2), width, Math.max(1, Math.round(ratio)));
  });
}

/** A marked window behind the bars, with its edges. */
export function drawMark(u: uPlot, fromMs: number, toMs: number, palette: Palette): void {
  const { top, height } = u.bbox;
  const left = Math.round(u.valToPos(fromMs, 'x', true));
  const right = Math.round(u.valToPos(toMs, 'x', true));
  const edge = Math.max(1, Math.round(devicePixelRatio));
  inPlot(u, () => {
    u.ctx.fillStyle = palette.mark;
    u.ctx.fillRect(left, top, Math.max(edge, right - left), height);
    u.ctx.fillStyle = palette.markEdge;
    u.ctx.fillRect(left, top, edge, height);
    u.ctx.fillRect(Math.max(left, right - edge), top, edge, height);
  });
}

function inPlot(u: uPlot, draw: () => void): void {
  const { left, top, width, height } = u.bbox;
  u.ctx.save();
  u.ctx.beginPath();
  u.ctx.rect(left, top, width, height);
  u.ctx.clip();
  draw();
  u.ctx.restore();
}
