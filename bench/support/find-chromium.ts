import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

const PLACES = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
  chromium.executablePath(),
];

/** The path of a browser that is installed. */
export function findChromium(): string {
  const found = PLACES.find((place) => place !== undefined && existsSync(place));
  if (!found) throw new Error('Install the package `chromium`, or name one in CHROMIUM_PATH.');
  return found;
}
