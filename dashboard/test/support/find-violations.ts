import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { BrowserContext, CDPSession, Page } from 'playwright-core';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** Puts axe into each page that the context loads. A script of the browser's own is not subject to the page's policy. */
export async function addAxe(context: BrowserContext): Promise<void> {
  await context.addInitScript({ path: AXE });
}

/**
 * The violations that axe reports, a line for each element: rule, element, problem.
 * @param rules the names of those that are asked; null: all
 */
export function findViolations(page: Page, rules: string[] | null): Promise<string[]> {
  // Put into words in the page: the whole report has the size of the page.
  return page.evaluate(async (runOnly) => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(
      // Base UI's guards of the focus are hidden and in the tab order: they pass the focus on and never keep it.
      { exclude: ['[data-base-ui-focus-guard]'] },
      { resultTypes: ['violations'], ...(runOnly && { runOnly }) },
    );
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary = '' }) => {
        const why = failureSummary.replaceAll(/\s+/g, ' ').slice(0, 300);
        return `${id}: ${html.slice(0, 200)} ${why}`;
      }),
    );
  }, rules);
}

/** Roles of interactive elements: each needs an accessible name. */
const CONTROLS = new Set(
  'button link textbox searchbox combobox listbox checkbox radio switch slider spinbutton tab menuitem option grid treeitem DisclosureTriangle'.split(
    ' ',
  ),
);

/** Controls that have no name in the tree that assistive technology reads. */
export async function findNameless(session: CDPSession): Promise<string[]> {
  const { nodes } = await session.send('Accessibility.getFullAXTree');
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
