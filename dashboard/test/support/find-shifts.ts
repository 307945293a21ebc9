import type { BrowserContext, Page } from 'playwright-core';

/** Records the layout shifts of each page that the context loads, from its first paint on. */
export async function addShiftRecorder(context: BrowserContext): Promise<void> {
  await context.addInitScript(recordShifts);
}

/** Returns the parts of the page that moved by themselves since it was loaded, without those that a click or a key moved. */
export function findShifts(page: Page): Promise<string[]> {
  return page.evaluate(() => (window as unknown as { layoutShifts: string[] }).layoutShifts);
}

/** Returns true if the page was shown before all of its data was there. */
export async function wasLate(page: Page): Promise<boolean> {
  return (await page.locator('[data-settled="late"]').count()) > 0;
}

/** Runs in the page, before everything else. */
function recordShifts(): void {
  const found: string[] = [];
  Object.assign(window, { layoutShifts: found });
  interface Shift extends PerformanceEntry {
    value: number;
    hadRecentInput: boolean;
    sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
  }
  const place = ({ x, y, width, height }: DOMRectReadOnly) => `${x},${y} ${width}×${height}`;
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries() as Shift[]) {
      if (hadRecentInput) continue;
      const moved = sources.map(({ node, previousRect, currentRect }) => {
        const element = node instanceof Element ? node : node?.parentElement;
        return `${place(previousRect)} → ${place(currentRect)} ${element?.outerHTML.slice(0, 150) ?? 'removed'}`;
      });
      found.push(`moved by itself (${value.toFixed(4)}): ${moved.join(' | ')}`);
    }
  }).observe({ type: 'layout-shift', buffered: true });
}
