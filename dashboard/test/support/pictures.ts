import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

/** True to take pictures for people, which no test reads and Git ignores. They take minutes. */
export const TAKES_PICTURES = process.env.SCREENSHOTS === '1';

const DIRECTORY = fileURLToPath(new URL('../../screenshots', import.meta.url));
const SIZES = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 768, height: 1024 },
  { width: 360, height: 740 },
];
/** Maximum height of a picture: lists of hostile texts are endless. */
const MAX_HEIGHT = 2_400;

/** Keeps a page as it looks on desks and phones in both themes. */
export async function keepPictures(page: Page, name: string): Promise<void> {
  if (!TAKES_PICTURES) return;
  await mkdir(DIRECTORY, { recursive: true });
  const before = page.viewportSize();
  for (const size of SIZES) {
    await page.setViewportSize(size);
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      const whole = await page.evaluate(() => document.documentElement.scrollHeight);
      const clip = { x: 0, y: 0, width: size.width, height: Math.min(MAX_HEIGHT, whole) };
      await page.screenshot({
        path: `${DIRECTORY}/${name}-${size.width}-${colorScheme}.png`,
        fullPage: true,
        clip,
      });
    }
  }
  if (before) await page.setViewportSize(before);
}
