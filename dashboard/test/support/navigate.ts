import type { Page, Request } from 'playwright-core';
import { waitFor } from '../../../server/test/support/wait.ts';

/**
 * Part of the pages' router that tells when a page is shown: `onResolved` comes with each, and `onRendered` in the same moment,
 * but not where another render took the place of the page's own.
 */
interface Router {
  subscribe: (event: 'onResolved', listener: () => void) => () => void;
}

/** Returns true if the page's document is the dashboard's, in which another page can be opened. */
export const hasPages = (page: Page) => page.evaluate(() => '__TSR_ROUTER__' in window);

const DIALOG = '[role="dialog"], dialog:modal';

export async function closeDialog(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await page.waitForFunction((dialogs) => !document.querySelector(dialogs), DIALOG);
}

/**
 * Opens another page of the loaded document, as a link does, and waits until it is rendered; the shown page stays as it is.
 * A dialog is closed, and messages are dismissed: the next ones are those of the new page.
 */
export async function navigate(page: Page, address: string): Promise<void> {
  if ((await page.locator(DIALOG).count()) > 0) await closeDialog(page);
  await page.evaluate(async (to) => {
    if (location.pathname + location.search + location.hash === to) return;
    const { __TSR_ROUTER__: router } = window as unknown as { __TSR_ROUTER__: Router };
    await new Promise<void>((resolve) => {
      const stop = router.subscribe('onResolved', () => {
        stop();
        resolve();
      });
      history.pushState(null, '', to);
    });
    const messages = '[role="status"] > button[aria-label="Dismiss"]';
    for (const button of document.querySelectorAll<HTMLButtonElement>(messages)) button.click();
  }, address);
}

/**
 * Does what makes a page read, and waits until it has read all that it shows: no request is in flight, nothing says that it is busy,
 * and no request has begun two frames later, in which a part that came with an answer asks for its own.
 */
export async function whenRead(page: Page, act: () => Promise<unknown>): Promise<void> {
  const pending = new Set<Request>();
  let begun = 0;
  const begin = (request: Request) => {
    begun++;
    pending.add(request);
  };
  const end = (request: Request) => void pending.delete(request);
  page.on('request', begin).on('requestfinished', end).on('requestfailed', end);
  try {
    await act();
    for (let seen = -1; seen !== begun; ) {
      seen = begun;
      await waitFor('the answers of a page', () => pending.size === 0);
      await page.waitForFunction(
        () => !document.querySelector('[aria-busy="true"], [data-settled="waiting"]'),
      );
      await page.evaluate(
        () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
      );
    }
  } finally {
    page.off('request', begin).off('requestfinished', end).off('requestfailed', end);
  }
}
