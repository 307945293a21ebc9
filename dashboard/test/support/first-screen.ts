import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { findShifts } from './find-shifts.ts';

export const PHONE = { width: 360, height: 740 };
/** Minimum size of the main figure. */
const FIGURE_PIXELS = 28;

/** A title of one word that no line holds, of letters from right to left, of emoji and of markup. */
export const HOSTILE = `Donaudampfschifffahrtsgesellschaftskapitänsmütze💥💥 مرحبا بالعالم <b>${'unbreakable'.repeat(6)}</b> and so on to the end`;

interface FirstScreen {
  /** Names of facts in the head. */
  facts: readonly string[];
  /** Names of all buttons in the row of actions, in their order. */
  buttons: readonly string[];
  /** First content below the head; unset: none has to be visible. */
  first?: Locator;
}

/** Asserts that a phone whose pages record shifts shows the title, a large figure, these facts and these buttons without scrolling, and that nothing has jumped. */
export async function expectOnFirstScreen(page: Page, { facts, buttons, first }: FirstScreen): Promise<void> {
  const head = page.locator('main header');
  const top = (await page.getByRole('banner').first().boundingBox())?.height ?? 0;
  const bottom = (await page.getByRole('navigation', { name: 'Main' }).boundingBox())?.y ?? 0;
  const figure = head.locator('p strong').first();
  const row = head.locator('xpath=*[last()]').getByRole('button');
  const needed = [
    head.getByRole('heading', { level: 1 }),
    figure,
    ...facts.map((name) => head.locator('dl > div').filter({ has: page.getByText(name, { exact: true }) })),
    ...(await row.all()),
    ...(first ? [first] : []),
  ];
  for (const one of needed) {
    const box = await one.boundingBox();
    expect.soft(box?.y ?? 0, String(one)).toBeGreaterThanOrEqual(top);
    expect.soft((box?.y ?? bottom) + (box?.height ?? 0), String(one)).toBeLessThanOrEqual(bottom);
    expect.soft((box?.x ?? 0) + (box?.width ?? 0), String(one)).toBeLessThanOrEqual(PHONE.width);
  }
  const names = await row.evaluateAll((all) =>
    all.map(
      (button) => button.getAttribute('aria-label') ?? (button as HTMLElement).innerText.split('\n')[0],
    ),
  );
  expect(names).toEqual(buttons);
  const size = await figure.evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize));
  expect(size).toBeGreaterThanOrEqual(FIGURE_PIXELS);
  expect(await findShifts(page)).toEqual([]);
}
