import type { Locator, Page } from 'playwright-core';

/** Waits until an open list or menu has the focus: it is shown before, and keys go to what opened it until then. */
export async function takesKeys(page: Page): Promise<void> {
  await page.locator(':is([role=listbox], [role=menu]):focus-within').waitFor();
}

/** Chooses an option of a select by its label. */
export async function choose(select: Locator, option: string): Promise<void> {
  await select.click();
  await select.page().getByRole('option', { name: option, exact: true }).click();
  // Waits until the list is closed: it covers the controls below.
  await select.page().getByRole('listbox').waitFor({ state: 'detached' });
}

/** Chooses an action from the menu of a row by the name of what the row is about. */
export async function chooseAction(
  place: Page | Locator,
  of: string | RegExp,
  action: string,
): Promise<void> {
  const name = typeof of === 'string' ? `Actions for ${of}` : of;
  await place.getByRole('button', { name }).first().click();
  const page = 'page' in place ? place.page() : place;
  await page.getByRole('menuitem', { name: action, exact: true }).click();
}
