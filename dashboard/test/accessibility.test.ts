import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { startTestService, visitOfFile } from './support/browser.ts';
import {
  addAxe,
  findNameless,
  findOverflow,
  findViolations,
  walkWithTab,
} from './support/find-violations.ts';
import { goTo, PLACES } from './support/places.ts';
import { seed } from './support/seed.ts';

/** Pictures for people, with `SCREENSHOTS=1`: no test reads them, and 104 of them take seconds. Git ignores them. */
const SCREENSHOTS =
  process.env.SCREENSHOTS === '1' ? fileURLToPath(new URL('../screenshots', import.meta.url)) : null;
const THEMES = ['light', 'dark'] as const;
const WIDE = { width: 1280, height: 800 };
const SIZES = [WIDE, { width: 360, height: 740 }];

const service = await startTestService();
const user = await service.signUp();
const seeded = await seed(service, user);
// Axe is put into the page from outside, which its policy would refuse.
const options = { bypassCSP: true, reducedMotion: 'reduce', viewport: WIDE } as const;
const inside = await visitOfFile(service, user, options);
const outside = await visitOfFile(service, null, options);
if (SCREENSHOTS) await mkdir(SCREENSHOTS, { recursive: true });

async function showWide(page: Page): Promise<void> {
  await page.setViewportSize(WIDE);
  await page.emulateMedia({ colorScheme: 'light' });
}

describe.each(PLACES)('the place $name', (place) => {
  it('passes axe at $name, fits in both themes, wide and narrow, and is reached with Tab throughout', async () => {
    const { page, faults } = place.outside ? outside : inside;
    faults.length = 0;
    await showWide(page);
    await goTo(page, place, seeded);
    await addAxe(page);
    const found: string[] = [];
    for (const size of SIZES) {
      await page.setViewportSize(size);
      for (const colorScheme of THEMES) {
        await page.emulateMedia({ colorScheme });
        const name = `${place.name}-${size.width}-${colorScheme}`;
        if (SCREENSHOTS) await page.screenshot({ path: path.join(SCREENSHOTS, `${name}.png`) });
        // The theme changes colours alone, and not otherwise where the page is narrow.
        if (colorScheme === 'dark' && size !== WIDE) continue;
        const violations = await findViolations(page, colorScheme === 'dark' ? ['color-contrast'] : null);
        found.push(...violations.map((violation) => `${name}: ${violation}`));
      }
      found.push(...(await findNameless(page)), ...(await findOverflow(page)));
    }
    expect(found).toEqual([]);

    await showWide(page);
    const { stops, missed } = await walkWithTab(page);
    expect(missed).toEqual([]);
    expect(stops.filter(({ isOutlined, isVisible }) => !isOutlined || !isVisible)).toEqual([]);
    expect(stops.length).toBeGreaterThan(0);
    expect(faults).toEqual([]);
  });
});
