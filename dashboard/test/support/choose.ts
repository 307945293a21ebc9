import type { Locator } from 'playwright-core';

/** Chooses an option of a select by its label. */
export async function choose(select: Locator, option: string): Promise<void> {
  await select.click();
  await select.page().getByRole('option', { name: option, exact: true }).click();
  // Waits until the list is closed: it covers the controls below.
  await select.page().getByRole('listbox').waitFor({ state: 'detached' });
}
