import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { startTestService, type VisitOptions, visit } from './support/browser.ts';
import { takesKeys } from './support/choose.ts';
import { assetsOf } from './support/manifest.ts';

const service = await startTestService();

const severity = (page: Page) => page.getByRole('combobox', { name: 'Severity' });
const options = (page: Page) => page.getByRole('option');
const [selectList = ''] = await assetsOf(/select-popup/);

/** Opens a page whose selects wait for their list until `goOn` is called. */
async function openWithHeldList() {
  const { page, open } = await visitProject();
  let ask = () => {};
  const isAskedFor = new Promise<void>((resolve) => (ask = resolve));
  let goOn = () => {};
  const mayCome = new Promise<void>((resolve) => (goOn = resolve));
  await page.route(`**${selectList}`, async (route) => {
    ask();
    await mayCome;
    await route.continue();
  });
  await open('/events');
  return { slow: page, isAskedFor, goOn };
}

async function visitProject(settings?: VisitOptions) {
  const user = await service.signUp();
  await user.createProject();
  return visit(service, user, settings);
}

async function openEvents(settings?: VisitOptions) {
  const visited = await visitProject(settings);
  await visited.open('/events');
  await severity(visited.page).waitFor();
  return visited;
}

async function openDialog() {
  const visited = await visitProject();
  await visited.open('/incidents?create=true');
  const dialog = visited.page.getByRole('dialog', { name: 'Create incident' });
  await dialog.waitFor();
  return { ...visited, dialog };
}

describe('a select', () => {
  it('chooses in a select by arrow keys, End, and first letters, and keeps the choice on Escape', async () => {
    const { page, faults } = await openEvents();
    const select = severity(page);
    await select.focus();
    await page.keyboard.press('ArrowDown');
    await takesKeys(page);
    expect(await options(page).allTextContents()).toEqual([
      'Any severity',
      'info',
      'warn',
      'error',
      'critical',
    ]);
    expect(await select.getAttribute('aria-expanded')).toBe('true');
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.waitForURL(/severity=error/);
    await options(page).first().waitFor({ state: 'detached' });
    await select.and(page.locator(':focus')).waitFor();

    await page.keyboard.press('Enter');
    await takesKeys(page);
    await page.keyboard.type('wa');
    await expect
      .poll(() => page.getByRole('option', { name: 'warn' }).getAttribute('data-highlighted'))
      .toBe('');
    await page.keyboard.press('Escape');
    await options(page).first().waitFor({ state: 'detached' });
    expect(await select.textContent()).toBe('error');
    expect(faults).toEqual([]);
  });

  it('keeps the focus on a select while its list is loaded, and opens as the key asked', async () => {
    const { slow, isAskedFor, goOn } = await openWithHeldList();
    await severity(slow).focus();
    await slow.keyboard.press('ArrowDown');
    await isAskedFor;
    expect(await options(slow).count()).toBe(0);
    goOn();
    await takesKeys(slow);
    await slow.keyboard.press('End');
    await slow.keyboard.press('Enter');
    await slow.waitForURL(/severity=critical/);
  });

  it('opens a select whose list arrives between the press and the release of the mouse', async () => {
    const { slow, isAskedFor, goOn } = await openWithHeldList();
    await severity(slow).waitFor();
    const first = await severity(slow).elementHandle();
    await severity(slow).hover();
    await isAskedFor;
    await slow.mouse.down();
    goOn();
    await first?.waitForElementState('hidden');
    await slow.mouse.up();
    await slow.getByRole('option', { name: 'critical' }).click();
    await slow.waitForURL(/severity=critical/);
  });

  it('shows the browser’s own select if its list cannot be loaded', async () => {
    const { page, open } = await visitProject();
    await page.route(`**${selectList}`, (route) => route.abort());
    await open('/events');
    await severity(page).focus();
    await page.locator('select').first().waitFor();
    await page.getByLabel('Severity', { exact: true }).selectOption('warn');
    await page.waitForURL(/severity=warn/);
  });

  it('opens a select inside a dialog, which stays when Escape closes the list, and sends its value', async () => {
    const { page, dialog } = await openDialog();
    await dialog.getByLabel('Title').fill('The bank is down');
    await dialog.getByLabel('Severity').click();
    await takesKeys(page);
    await page.keyboard.press('Escape');
    await options(page).first().waitFor({ state: 'detached' });
    expect(await dialog.isVisible()).toBe(true);

    await dialog.getByLabel('Severity').click();
    await page.getByRole('option', { name: 'critical' }).click();
    await dialog.getByRole('button', { name: 'Create incident' }).click();
    await page.getByRole('heading', { level: 1, name: 'The bank is down' }).waitFor();
    await page.getByText('critical', { exact: true }).first().waitFor();
  });

  it('makes selects and buttons at least 40 pixels high on touch screens', async () => {
    const { page } = await openEvents({
      hasTouch: true,
      isMobile: true,
      viewport: { width: 360, height: 740 },
    });
    await severity(page).tap();
    await options(page).first().waitFor();
    const heights = await page
      .locator('[role="option"], [role="combobox"], main button:not([role="treeitem"])')
      .evaluateAll((elements) =>
        elements
          .map(
            (element) => [element.textContent, Math.round(element.getBoundingClientRect().height)] as const,
          )
          .filter(([, height]) => height > 0 && height < 40),
      );
    expect(heights).toEqual([]);
  });
});

describe('the navigation of a phone', () => {
  it('links to the alerts in the bar of a phone, and to the settings in its account menu', async () => {
    const { page, faults } = await openEvents({ viewport: { width: 360, height: 740 } });
    const bar = page.getByRole('navigation', { name: 'Main' });
    await bar.getByRole('link', { name: 'Alerts' }).click();
    await page.getByRole('heading', { level: 1, name: 'Alerts' }).waitFor();
    await page.locator('header summary').last().click();
    await page.getByRole('link', { name: 'Settings', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Organization' }).waitFor();
    expect(faults).toEqual([]);
  });
});

describe('a menu', () => {
  it('opens a menu by keyboard, finds its items by letter, and gives the focus back on Escape', async () => {
    const { page, faults } = await openEvents();
    const button = page.getByRole('button', { name: 'Export' });
    await button.focus();
    await page.keyboard.press('Enter');
    const items = page.getByRole('menuitem');
    await takesKeys(page);
    expect(await items.allTextContents()).toEqual(['CSV', 'NDJSON']);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.type('n');
    await expect.poll(() => items.last().evaluate((item) => item === document.activeElement)).toBe(true);
    await page.keyboard.press('Escape');
    await items.first().waitFor({ state: 'detached' });
    await button.and(page.locator(':focus')).waitFor();
    expect(faults).toEqual([]);
  });
});
