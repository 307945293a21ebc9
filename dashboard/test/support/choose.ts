import type { Locator } from 'playwright-core';

/** Chooses in a select, by the label of an option. */
export async function choose(select: Locator, option: string): Promise<void> {
  await select.click();
  await select.page().getByRole('option', { name: option, exact: true }).click();
  // Its list goes: until then it covers what is below.
  await select.page().getByRole('listbox').waitFor({ state: 'detached' });
}
