import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { BrowserContext, CDPSession, Page } from 'playwright-core';

/** Tags of the rules that are checked: WCAG 2.2 to the level AA, and what axe recommends beyond it. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** Rules that axe leaves out by default, beside those of a tag. */
const EXPERIMENTAL = { 'label-content-name-mismatch': { enabled: true } };

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** Adds axe to each page that the context loads. The page's policy does not apply to scripts of the browser. */
export async function addAxe(context: BrowserContext): Promise<void> {
  await context.addInitScript({ path: AXE });
}

/**
 * Returns the violations that axe reports, a line for each element: rule, element, problem.
 * @param rules names of the rules to check; null for all
 */
export function findViolations(page: Page, rules: string[] | null): Promise<string[]> {
  // Formatted in the page: the whole report has the size of the page.
  const options = rules === null ? { runOnly: TAGS, rules: EXPERIMENTAL } : { runOnly: rules };
  return page.evaluate(async (checked) => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(
      // Base UI's guards of the focus are hidden and in the tab order: they pass the focus on and never keep it.
      { exclude: ['[data-base-ui-focus-guard]'] },
      { resultTypes: ['violations'], ...checked },
    );
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary = '' }) => {
        const why = failureSummary.replaceAll(/\s+/g, ' ').slice(0, 300);
        return `${id}: ${html.slice(0, 200)} ${why}`;
      }),
    );
  }, options);
}

/** Roles of interactive elements: each needs an accessible name. */
const CONTROLS = new Set(
  'button link textbox searchbox combobox listbox checkbox radio switch slider spinbutton tab menuitem option grid treeitem DisclosureTriangle'.split(
    ' ',
  ),
);

/** Finds controls without a name in the accessibility tree. */
export async function findNameless(session: CDPSession): Promise<string[]> {
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  return nodes
    .filter(({ ignored, role, name }) => !ignored && CONTROLS.has(String(role?.value)) && !name?.value)
    .map(({ role, nodeId }) => `without a name: ${String(role?.value)} (${nodeId})`);
}

/** Finds elements that make the page wider than the window. */
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

/** Distance from the left edge of the content to all headings inside the login. */
const EDGE_PX = 16;

/** Finds the heading of a page inside the login if it does not begin at the left edge that all pages have. */
export function findOffEdge(page: Page): Promise<string[]> {
  return page.evaluate((edgePx) => {
    const content = document.querySelector('#content');
    const heading = content?.querySelector('h1');
    if (!content || !heading) return ['no heading'];
    const x = heading.getBoundingClientRect().x - content.getBoundingClientRect().x;
    return Math.abs(x - edgePx) < 0.5 ? [] : [`heading at ${x} px: ${heading.textContent}`];
  }, EDGE_PX);
}
