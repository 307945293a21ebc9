import { expect, it } from 'vitest';
import { becomesLive, startTestService, visit } from './support/browser.ts';
import { expectStatus } from './support/seed.ts';

const HOUR_MS = 3_600_000;

const service = await startTestService();

/** Signs up a user with an incident: a new release whose checkouts fail for some users. */
async function signUpWithIncident() {
  const user = await service.signUp('Ada Lovelace');
  const project = await user.createProject();
  const beforeMs = service.context.clock.now() - HOUR_MS;
  const orders = Array.from({ length: 20 }, (_, index) => ({
    type: 'order',
    severity: 'INFO',
    message: `Order ${index} was placed`,
    source: 'shop',
    release: '4.18.0',
    capturedAt: new Date(beforeMs + index * 1_000).toISOString(),
  }));
  await expectStatus(202, project.ingest.post('/ingest/bulk', orders));
  await service.settled();
  const failures = Array.from({ length: 40 }, (_, index) => ({
    type: 'checkout',
    severity: 'CRITICAL',
    message: `Card was declined for order ${index}`,
    source: 'shop',
    release: '4.18.1',
    correlation: { user_id: `usr_${index % 8}` },
  }));
  await expectStatus(202, project.ingest.post('/ingest/bulk', failures));
  await service.settled();
  const { body } = await user.api.get('/incidents');
  return { user, project, incidentId: String(body[0].id) };
}

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
  const { user, incidentId: id } = await signUpWithIncident();
  const { page, open, context } = await visit(service, user);
  await page.route(`**/incidents/${id}`, async (route) => {
    if (route.request().resourceType() === 'document') return route.continue();
    const response = await route.fetch();
    const release = { version: '4.18.1', says: 'new', alsoIn: [] };
    return route.fulfill({ response, json: { ...(await response.json()), release } });
  });
  await open(`/incidents/${id}`);
  await becomesLive(page);
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
