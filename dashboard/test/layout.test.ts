import { describe, expect, it } from 'vitest';
import { startTestService, visitOfFile } from './support/browser.ts';
import { findCutText } from './support/find-cut-text.ts';
import { findOverflow } from './support/find-violations.ts';
import { goTo, PLACES } from './support/places.ts';
import { seed } from './support/seed.ts';

/** Of windows and phones; 640 by 400 is what a window of 1280 by 800 shows at a zoom of 200%. */
const SIZES = [
  [1440, 900],
  [1280, 800],
  [1024, 768],
  [768, 1024],
  [640, 400],
  [360, 740],
] as const;

const service = await startTestService();
const user = await service.signUp();
const seeded = await seed(service, user);
const options = { reducedMotion: 'reduce' } as const;
const inside = await visitOfFile(service, user, options);
const outside = await visitOfFile(service, null, options);

describe.each(PLACES)('the place $name', (place) => {
  it('shows each text whole or usefully shortened, and none over another, at every width', async () => {
    const { page } = place.outside ? outside : inside;
    await page.setViewportSize({ width: 1280, height: 800 });
    await goTo(page, place, seeded);
    const found: string[] = [];
    for (const [width, height] of SIZES) {
      await page.setViewportSize({ width, height });
      // Charts are drawn again once their size is observed.
      await page.evaluate(
        () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
      );
      for (const text of [...(await findCutText(page)), ...(await findOverflow(page))])
        found.push(`${width}: ${text}`);
    }
    expect(found).toEqual([]);
  });
});
