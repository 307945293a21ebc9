import type { CDPSession } from 'playwright-core';
import { expect, it } from 'vitest';
import { longForm } from '../../../server/test/support/test-length.ts';
import { startTestService, type TestService, type TestUser } from './browser.ts';
import { findCutText } from './find-cut-text.ts';
import { findCrowds, findSmallTargets } from './find-targets.ts';
import { addAxe, findNameless, findOffEdge, findOverflow, findViolations } from './find-violations.ts';
import { keepPictures } from './pictures.ts';
import { goTo, type Place } from './places.ts';
import { expectStatus, seed } from './seed.ts';
import type { Write } from './seed-events.ts';
import { findUnreached } from './walk-with-tab.ts';
import { type WatchedVisit, watchedVisit } from './watch-safety.ts';

/** Size at which a page is opened and walked through with Tab. */
const WIDE = { width: 1280, height: 800 };
/** Other sizes of windows and phones; 640 by 400 is a window of 1280 by 800 at a zoom of 200%. */
const OTHER_SIZES = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 768, height: 1024 },
  { width: 640, height: 400 },
];
const NARROW = { width: 360, height: 740 };
const SIZES = [WIDE, ...OTHER_SIZES, NARROW];

/** Size and theme in which axe checks a page, by some rules or by all. */
interface AxeRun {
  size: typeof WIDE;
  colorScheme: 'light' | 'dark';
  rules: string[] | null;
}

/** Runs of the long form at each place. The theme changes only colours, which do not depend on the width. */
const AXE_RUNS: readonly AxeRun[] = [
  { size: WIDE, colorScheme: 'light', rules: null },
  { size: WIDE, colorScheme: 'dark', rules: ['color-contrast'] },
  { size: NARROW, colorScheme: 'light', rules: null },
];
/** Runs of the short form: one at each place, in turn. */
const SHORT_AXE_RUNS: readonly AxeRun[] = [
  { size: WIDE, colorScheme: 'light', rules: null },
  { size: NARROW, colorScheme: 'dark', rules: null },
];

/**
 * Texts that run if a page takes them for HTML, an attribute, an address or code. They are short and of one line: their
 * places have to show them whole. All others are shown by the tests of hostile texts.
 */
const VECTORS = [
  '<script>reportExecution(1)</script>',
  '"><img src=x onerror=reportExecution(1)>',
  'javascript:reportExecution(1)',
  '<svg/onload=reportExecution(1)>',
  "' autofocus onfocus='reportExecution(1)",
  '</textarea></title><iframe srcdoc=x>',
  '<a href=//evil.example>here</a>',
];

interface Walker extends WatchedVisit {
  session: CDPSession;
}

/**
 * Tests each place, opened once, with hostile texts in all written texts: with axe, its texts and controls at several widths,
 * with Tab, and for code that runs. The long form runs axe in two sizes and themes, and shows each place at six widths, not three.
 */
export async function testPlaces(places: readonly Place[]): Promise<void> {
  const service = await startTestService();
  const write = addVectors();
  const user = await service.signUp(write('Ada Lovelace'));
  await expectStatus(200, user.api.patch('/organizations/me', { name: write('Analytical Engines') }));
  const seeded = await seed(service, user, write);
  const inside = await startWalker(service, user);
  const outside = await startWalker(service, null);

  it.each(places)(
    'passes axe, shows each text as text, each control large enough and the heading at one edge at several widths, and lets Tab reach all at the place $name',
    async (place) => {
      const walker = place.outside ? outside : inside;
      walker.start();
      await goTo(walker.page, place, seeded, { within: !longForm });
      expect(await inspect(walker, place, places.indexOf(place))).toEqual([]);
      await walker.end();
    },
  );
}

/** @returns a function that adds to each text a vector, in front of it or behind, and always the same */
function addVectors(): Write {
  const written = new Map<string, string>();
  return (text) => {
    const index = written.size;
    const vector = VECTORS[index % VECTORS.length] ?? '';
    const result = written.get(text) ?? (index % 2 ? `${text} ${vector}` : `${vector} ${text}`);
    written.set(text, result);
    return result;
  };
}

async function startWalker(service: TestService, user: TestUser | null): Promise<Walker> {
  const visited = await watchedVisit(service, user, { viewport: WIDE });
  await addAxe(visited.context);
  return { ...visited, session: await visited.context.newCDPSession(visited.page) };
}

/**
 * Restores the width and the theme of the page.
 * @param index number of the place: the short form varies with it
 * @returns problems, each with its size and theme
 */
async function inspect(
  { page, session }: Walker,
  { name, outside }: Place,
  index: number,
): Promise<string[]> {
  const found: string[] = [];
  const add = (where: string, problems: readonly string[]) => {
    for (const problem of problems) found.push(`${where}: ${problem}`);
  };
  const other = OTHER_SIZES[index % OTHER_SIZES.length];
  const axeRuns = longForm ? AXE_RUNS : [SHORT_AXE_RUNS[index % SHORT_AXE_RUNS.length]];
  // A control would count as covered that a click has scrolled under the bar at the top, or that lies under the link to the
  // content, which is shown while the walk before has left the focus there.
  await page.evaluate(() => {
    scrollTo(0, 0);
    document.querySelector<HTMLElement>('[href="#content"]:focus')?.blur();
  });
  for (const size of SIZES) {
    const isOuter = size === WIDE || size === NARROW;
    if (!longForm && !isOuter && size !== other) continue;
    await page.setViewportSize(size);
    add(`${size.width}`, [
      ...(await findCutText(page)),
      ...(await findOverflow(page)),
      ...(outside ? [] : await findOffEdge(page)),
      ...(await findSmallTargets(page)),
      ...(await findCrowds(page)),
    ]);
    if (isOuter) add(`${size.width}`, await findNameless(session));
    for (const run of axeRuns) {
      if (run?.size !== size) continue;
      await page.emulateMedia({ colorScheme: run.colorScheme });
      add(`${size.width} ${run.colorScheme}`, await findViolations(page, run.rules));
    }
  }
  await keepPictures(page, name);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(WIDE);
  add(`${WIDE.width}`, await findUnreached(page, session));
  return found;
}
