import { expect, it } from 'vitest';
import { rounds } from '../../server/test/support/test-length.ts';
import { startTestService, visit } from './support/browser.ts';
import { addShiftRecorder, findShifts } from './support/find-shifts.ts';
import { readManifest } from './support/manifest.ts';
import { goTo, PLACES } from './support/places.ts';
import { seed } from './support/seed.ts';

const service = await startTestService();
const user = await service.signUp();
const seeded = await seed(service, user);
// Contexts of their own, since the recorder stays in them.
const inside = await visit(service, user, { locale: 'en-GB' });
const outside = await visit(service, null, { locale: 'en-GB' });
for (const { context } of [inside, outside]) await addShiftRecorder(context, service.context.clock.now());

/** Places that an address alone leads to: a third of them in the short form. */
const ADDRESSES = PLACES.filter(({ act }) => !act).filter((_, place) => place % rounds(3, 1) === 0);

it.each(ADDRESSES)('moves nothing by itself while the place $name is loaded', async (place) => {
  const { page } = place.outside ? outside : inside;
  await goTo(page, place, seeded);
  expect(await findShifts(page)).toEqual([]);
});

it('does not call a page settled while the code of a part is on its way', async () => {
  const { page } = inside;
  const panel = Object.entries(await readManifest()).find(([key]) => key.endsWith('/event-panel.tsx'))?.[1]
    .file;
  const place = PLACES.find(({ name }) => name === 'event');
  if (!panel || !place) throw new Error('There is no event panel.');
  let release = () => {};
  const asked = new Promise<void>((resolve) => {
    void page.route(`**/${panel}`, async (route) => {
      resolve();
      await new Promise<void>((resume) => {
        release = resume;
      });
      await route.continue();
    });
  });
  const loaded = goTo(page, place, seeded);
  await asked;
  // The list beside the panel is there, and nothing else is awaited.
  await page.getByRole('row').nth(1).waitFor({ state: 'attached' });
  await page.evaluate(async () => {
    for (let frames = 0; frames < 5; frames++) await new Promise(requestAnimationFrame);
  });
  expect(await page.locator('[data-settled]').getAttribute('data-settled')).not.toBe('settled');
  release();
  await loaded;
});
