import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { startTestService, visit } from './support/browser.ts';
import { sendBurst } from './support/burst.ts';

const service = await startTestService();

/** Reads the characters of a text that its box shows: the rest is cut by an ellipsis. */
const readShown = (text: Locator) =>
  text.evaluate((element) => {
    const box = element.getBoundingClientRect();
    const node = element.firstChild;
    if (!(node instanceof Text)) return '';
    const range = document.createRange();
    return Array.from(node.data)
      .filter((_, index) => {
        range.setStart(node, index);
        range.setEnd(node, index + 1);
        const { right, bottom } = range.getBoundingClientRect();
        return right <= box.right + 1 && bottom <= box.bottom + 1;
      })
      .join('');
  });

describe('lists of incidents', async () => {
  const user = await service.signUp();
  const projects = [await user.createProject('Shop'), await user.createProject('Shop staging')];
  for (const [index, { ingest }] of projects.entries()) await sendBurst(ingest, 'shop', 40 + 20 * index);
  await service.settled();
  const { page, open } = await visit(service, user);

  it.each([360, 1024, 1440])(
    'tells similar incidents apart by group and rate at a width of %d pixels',
    async (width) => {
      await page.setViewportSize({ width, height: 900 });
      for (const [path, name] of [
        ['/incidents', 'Incidents'],
        ['/', 'Open incidents'],
      ] as const) {
        await open(path);
        const list = path === '/' ? page.getByRole('region', { name }) : page.getByRole('list', { name });
        const details = list.getByText(/^SHOP\S*-1 · /);
        await expect.poll(() => details.count()).toBe(2);
        const shown = [];
        for (const row of await details.all()) shown.push(await readShown(row));
        expect(shown).toEqual([
          expect.stringMatching(/^SHOP-STAGI-1 · 60\/min at first/),
          expect.stringMatching(/^SHOP-1 · 40\/min at first/),
        ]);
      }
    },
  );
});
