import type { BrowserContext, Page } from 'playwright-core';

/** Factor by which the timers of a page are slower: its data is there in time also while the machine is busy. */
const TIMER_FACTOR = 50;

/**
 * Records the layout shifts of each page that the context loads, from its first paint on. A page waits for its data for a while
 * before it is shown, and may move where the data is later: here it waits as long as a slow machine needs. Its time stands still, and
 * it hears of no change: an age or a rate that grows longer meanwhile would move what is beside it.
 */
export async function addShiftRecorder(context: BrowserContext, nowMs: number): Promise<void> {
  await context.clock.setFixedTime(nowMs);
  await context.routeWebSocket('**/ws', () => {});
  await context.addInitScript(slowTimers, TIMER_FACTOR);
  await context.addInitScript(recordShifts);
}

/** Returns the parts of the page that moved by themselves since it was loaded, without those that a click or a key moved. */
export function findShifts(page: Page): Promise<string[]> {
  return page.evaluate(() => (window as unknown as { layoutShifts: string[] }).layoutShifts);
}

/** Runs in the page, before everything else. */
function slowTimers(factor: number): void {
  const setTimer = window.setTimeout.bind(window);
  Object.assign(window, {
    setTimeout: (run: TimerHandler, delayMs = 0, ...rest: unknown[]) =>
      setTimer(run, factor * delayMs, ...rest),
  });
}

/** Likewise. */
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
