import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** Puts axe into the page; its context must have been made with `bypassCSP`. */
export async function addAxe(page: Page): Promise<void> {
  await page.evaluate(axe.source);
}

/**
 * The violations that axe reports, a line for each element: rule, element, problem.
 * @param rules the names of those that are asked; null: all
 */
export async function findViolations(page: Page, rules: string[] | null): Promise<string[]> {
  const { violations } = await page.evaluate(
    (runOnly) =>
      (window as unknown as { axe: typeof axe }).axe.run(
        // Base UI's guards of the focus are hidden and in the tab order: they pass the focus on and never keep it.
        { exclude: ['[data-base-ui-focus-guard]'] },
        {
          resultTypes: ['violations'],
          ...(runOnly && { runOnly }),
        },
      ),
    rules,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary = '' }) => {
      const why = failureSummary.replaceAll(/\s+/g, ' ').slice(0, 300);
      return `${id}: ${html.slice(0, 200)} ${why}`;
    }),
  );
}

/** Roles of interactive elements: each needs an accessible name. */
const CONTROLS = new Set(
  'button link textbox searchbox combobox listbox checkbox radio switch slider spinbutton tab menuitem option grid treeitem DisclosureTriangle'.split(
    ' ',
  ),
);

/** Controls that have no name in the tree that assistive technology reads. */
export async function findNameless(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  await session.detach();
  return nodes
    .filter(({ ignored, role, name }) => !ignored && CONTROLS.has(String(role?.value)) && !name?.value)
    .map(({ role, nodeId }) => `without a name: ${String(role?.value)} (${nodeId})`);
}

/** Elements that make the page wider than the window. */
export function findOverflow(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { scrollingElement } = document;
    if (!scrollingElement || scrollingElement.scrollWidth <= innerWidth) return [];
    const wide = [...document.querySelectorAll('body *')]
      .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
      .slice(0, 3)
      .map((element) => element.outerHTML.slice(0, 200));
    return [`${scrollingElement.scrollWidth} px wide in ${innerWidth} px: ${wide.join(' | ')}`];
  });
}

/** Elements that Tab reaches, with their style while focused. */
export interface Stop {
  html: string;
  isOutlined: boolean;
  isVisible: boolean;
}

/** Presses Tab until the focus comes round; names the controls that it never came to. */
export async function walkWithTab(page: Page): Promise<{ stops: Stop[]; missed: string[] }> {
  const limit = await page.evaluate(markControls);
  const stops: Stop[] = [];
  for (let count = 0; count < limit + 20; count++) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate(visitFocused);
    if (stop === 'round') break;
    if (stop) stops.push(stop);
  }
  const missed = await page.evaluate(() =>
    [...document.querySelectorAll('[data-to-reach]')].map((element) => element.outerHTML.slice(0, 200)),
  );
  return { stops, missed };
}

/** Marks all that Tab should come to, and says how many these are; an open dialog keeps the focus to itself. */
function markControls(): number {
  const controls = 'a[href], button, input, select, textarea, summary, [tabindex]';
  const within = document.querySelector('dialog:modal') ?? document;
  let count = 0;
  for (const element of within.querySelectorAll<HTMLElement>(controls)) {
    const isOff = element.matches(':disabled, [tabindex="-1"], [type="radio"]:not(:checked)');
    if (isOff || !element.checkVisibility({ visibilityProperty: true }) || element.closest('[inert]'))
      continue;
    element.dataset.toReach = '';
    count++;
  }
  return count;
}

function visitFocused(): Stop | 'round' | null {
  const element = document.activeElement;
  if (!(element instanceof HTMLElement) || element === document.body) return null;
  // A field for a time has a stop for each of its parts.
  if (element.dataset.reached === 'last') return null;
  if ('reached' in element.dataset) return 'round';
  for (const last of document.querySelectorAll<HTMLElement>('[data-reached="last"]'))
    last.dataset.reached = '';
  element.dataset.reached = 'last';
  delete element.dataset.toReach;
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  const { width, height, right, bottom } = element.getBoundingClientRect();
  return {
    html: element.outerHTML.slice(0, 200),
    isOutlined: outlineStyle !== 'none' && outlineWidth !== '0px',
    isVisible: width > 4 && height > 4 && right > 0 && bottom > 0,
  };
}
