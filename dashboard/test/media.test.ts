import { expect, it } from 'vitest';
import { startTestService, visit } from './support/browser.ts';
import { findCutText } from './support/find-cut-text.ts';
import { findSmallTargets } from './support/find-targets.ts';
import { findOverflow } from './support/find-violations.ts';
import { whenRead } from './support/navigate.ts';
import { goTo, PLACES } from './support/places.ts';
import { expectStatus, seed } from './support/seed.ts';

const service = await startTestService();
const user = await service.signUp();
const seeded = await seed(service, user);
// A window of 1440 by 900 at a zoom of 200%.
const zoomed = await visit(service, user, { viewport: { width: 720, height: 450 }, deviceScaleFactor: 2 });

/** Places with a chart, a list, a panel, a head and forms. */
const ZOOMED = ['overview', 'event', 'groups', 'incident-by-risk', 'notifications', 'add-route', 'project'];

it.each(PLACES.filter(({ name }) => ZOOMED.includes(name)))(
  'shows all texts and controls at a zoom of 200%% at the place $name',
  async (place) => {
    const { page } = zoomed;
    await goTo(page, place, seeded, { within: true });
    expect([
      ...(await findCutText(page)),
      ...(await findOverflow(page)),
      ...(await findSmallTargets(page)),
    ]).toEqual([]);
  },
);

it('animates nothing for a reader who wants reduced motion', async () => {
  const newcomer = await service.signUp();
  const { id } = await newcomer.createProject();
  const { page, open } = await visit(service, newcomer);
  const running = () => page.evaluate(() => document.getAnimations().length);
  await open(`/projects/${id}/start`);
  await expect.poll(running).toBeGreaterThan(0);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await expect.poll(running).toBe(0);
});

it('prints an incident with exact times, and without notices, navigation and actions', async () => {
  const member = await service.signUp('Barbara Liskov');
  const body = { userId: member.id, role: 'MEMBER' };
  await expectStatus(201, user.api.post(`/organizations/${user.organizationId}/members`, body));
  const { page, open } = await visit(service, member);
  await whenRead(page, () => open(`/incidents/${seeded.incidentIds.risk}`));
  await page.getByRole('list', { name: 'Notices' }).waitFor();
  await page.getByRole('list', { name: 'Timeline' }).waitFor();
  await page.emulateMedia({ media: 'print' });
  await page.getByRole('list', { name: 'Notices' }).waitFor({ state: 'detached' });
  for (const role of ['navigation', 'button', 'textbox'] as const)
    expect(await page.getByRole(role).allInnerTexts()).toEqual([]);
  expect(await page.getByRole('link', { name: /^(Open|View|All|Compare|Why)/ }).allInnerTexts()).toEqual([]);
  const times = await page.getByRole('main').evaluate((main) =>
    [...main.querySelectorAll('time')]
      .filter((time) => time.checkVisibility({ visibilityProperty: true }))
      .map((time) => {
        const printed = getComputedStyle(time, '::after').content;
        return printed === 'none' ? time.textContent : printed;
      }),
  );
  expect(times.length).toBeGreaterThan(2);
  expect(times.filter((time) => !/^"\d{1,2} \w{3} \d{4}, \d\d:\d\d:\d\d/.test(time))).toEqual([]);
});
