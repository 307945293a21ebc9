import { expect, it } from 'vitest';
import { becomesLive, startTestService, visit } from './support/browser.ts';
import { signUpWithBadRelease } from './support/incidents.ts';

const service = await startTestService();

/** Records what a screen reader says of its own accord: the texts of live regions, when they change. */
function recordAnnouncements(): void {
  const said: string[] = [];
  const live = '[aria-live="polite"], [role="status"], [role="alert"]';
  const regionOf = (node: Node) =>
    (node instanceof Element ? node : node.parentElement)?.closest<HTMLElement>(live);
  new MutationObserver((changes) => {
    const regions = new Set(changes.map(({ target }) => regionOf(target)));
    for (const { addedNodes } of changes) for (const node of addedNodes) regions.add(regionOf(node));
    for (const region of regions) {
      const words = region?.innerText.match(/[a-z]+/gi)?.join(' ');
      if (words) said.push(words);
    }
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
  Object.assign(window, { said });
}

it('describes the head of an incident in one sentence, and announces a change of its state once', async () => {
  const { user, incidentId: id } = await signUpWithBadRelease(service);
  const { page, open, context } = await visit(service, user);
  await page.route(`**/incidents/${id}`, async (route) => {
    if (route.request().resourceType() === 'document') return route.continue();
    const response = await route.fetch();
    const release = { version: '4.18.1', says: 'new', alsoIn: [] };
    return route.fulfill({ response, json: { ...(await response.json()), release } });
  });
  await open(`/incidents/${id}`);
  await becomesLive(page);
  await page.getByRole('group', { name: /^Card was declined .* in shop$/ }).waitFor();
  const session = await context.newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  const head = nodes.find(
    ({ role, name }) => role?.value === 'group' && /^Card was declined .* in shop$/.test(String(name?.value)),
  );
  expect(head?.description?.value).toMatch(
    /^Critical, open, no one yet: \S+ a minute .*; since \d+ \w+, \d\d:\d\d \(.*\), 8 users, new in 4\.18\.1\.$/,
  );
  await page.evaluate(recordAnnouncements);
  await page.keyboard.press('i');
  await page.getByText('started investigating').waitFor();
  const said = await page.evaluate(() => (window as unknown as { said: string[] }).said);
  expect(said).toEqual(['critical investigating']);
});
