import { describe, expect, it } from 'vitest';
import { startTestService, visit } from './support/browser.ts';

const service = await startTestService();
const user = await service.signUp();
const shop = await user.createProject('Shop');
const blog = await user.createProject('Blog');
const { page, open, faults } = await visit(service, user);
const tabs = page.getByRole('navigation', { name: 'Alerts' });

describe('the pages of alerts', () => {
  it('leads to each page of alerts by its tab, and keeps the project', async () => {
    await open(`/alerts?project=${blog.id}`);
    for (const [name, path, text] of [
      ['Schedules', 'schedules', 'No schedules yet'],
      ['Silences', 'silences', 'Nothing is silenced'],
      ['Destinations', 'destinations', 'No targets yet'],
      ['Quiet log', 'quiet-log', 'Nothing kept quiet in the last 7 days'],
    ] as const) {
      await tabs.getByRole('link', { name, exact: true }).click();
      await page.getByText(text).waitFor();
      const { pathname, searchParams } = new URL(page.url());
      expect([pathname, searchParams.get('project')]).toEqual([`/app/alerts/${path}`, blog.id]);
      expect(await tabs.locator('[aria-current="page"]').allInnerTexts()).toEqual([name]);
      await expect.poll(() => page.title()).toBe(`${name} · Alerts · Tocsin`);
    }
    await tabs.getByRole('link', { name: 'Rules and sensitivity' }).click();
    await page.getByRole('button', { name: 'Save' }).waitFor();
    expect(faults).toEqual([]);
  });

  it('asks which project the rules are for, keeps it on other pages, and leaves it by one click', async () => {
    await open('/alerts');
    const choice = page.getByRole('region', { name: 'Choose a project' }).getByRole('link');
    await expect.poll(() => choice.allInnerTexts()).toEqual(expect.arrayContaining(['Shop', 'Blog']));
    await choice.filter({ hasText: 'Shop' }).click();
    await page.getByRole('button', { name: 'Save' }).waitFor();
    expect(new URL(page.url()).searchParams.get('project')).toBe(shop.id);
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Overview' }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    expect(new URL(page.url()).searchParams.get('project')).toBe(shop.id);
    await page.getByRole('button', { name: 'All projects', exact: true }).click();
    await page.waitForURL(({ searchParams }) => !searchParams.has('project'));
    await page.getByRole('button', { name: 'All projects', exact: true }).waitFor({ state: 'detached' });
  });

  it.each([
    ['/projects/PROJECT/alarms', '/alerts?project=PROJECT'],
    ['/projects/PROJECT/alarms?outcome=all', '/alerts/quiet-log?outcome=all&project=PROJECT'],
    ['/projects/PROJECT/watched', '/alerts/watched?project=PROJECT'],
    ['/projects/PROJECT/schedules', '/alerts/schedules?project=PROJECT'],
    ['/settings/silences?state=ended', '/alerts/silences?state=ended'],
    ['/settings/notifications', '/alerts/destinations'],
  ])('leads from the former address %s to %s', async (former, present) => {
    await open(former.replace('PROJECT', shop.id));
    await tabs.waitFor();
    const { pathname, search } = new URL(page.url());
    const [path, query] = present.replace('PROJECT', shop.id).split('?');
    expect(pathname).toBe(`/app${path}`);
    expect(Object.fromEntries(new URLSearchParams(search))).toEqual(
      Object.fromEntries(new URLSearchParams(query)),
    );
  });
});
