import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { DIST, readManifest } from './support/manifest.ts';

/** At 1.6 Mbit/s these are 0.38 s for what comes first, and 0.28 s for a page with its charts. */
const MAX_INITIAL_BYTES = 75_000;
const MAX_ROUTE_BYTES = 55_000;
/** Limit of the lists of selects and menus, which are loaded when a page is idle or the user first points at one. */
const MAX_POPUP_BYTES = 60_000;
const MAX_FONT_BYTES = 40_000;
/** Limit of an incident in all, as it is sent: the frame, the page and its chart. */
const MAX_INCIDENT_BYTES = 112_000;
const INCIDENT = ['src/features/incidents/page/incident-page.tsx', 'src/ui/charts/observed-plot.tsx'];
const POPUP = /^src\/ui\/controls\/.*-popup\.tsx$/;

describe('the size of the pages', async () => {
  const manifest = await readManifest();
  const chunk = (key: string) => {
    const found = manifest[key];
    if (!found) throw new Error(`The manifest has no ${key}.`);
    return found;
  };
  /** Returns a chunk with all its imports; `withLazy` includes dynamic ones. */
  const closure = (key: string, withLazy: boolean, seen = new Set<string>()): Set<string> => {
    if (seen.has(key)) return seen;
    seen.add(key);
    const { imports = [], dynamicImports = [] } = chunk(key);
    for (const next of withLazy ? [...imports, ...dynamicImports] : imports) closure(next, withLazy, seen);
    return seen;
  };
  const gzippedBytes = async (keys: Iterable<string>) => {
    let sum = 0;
    for (const key of keys) sum += gzipSync(await readFile(path.join(DIST, chunk(key).file))).length;
    return sum;
  };
  const entry = Object.keys(manifest).find((key) => manifest[key]?.isEntry) ?? '';
  const initial = closure(entry, false);
  const lazy = new Set([...initial].flatMap((key) => chunk(key).dynamicImports ?? []));
  const popups = [...lazy].filter((key) => POPUP.test(key));
  const routes = [...lazy].filter((key) => !POPUP.test(key));

  it('loads at most 75 kB of JavaScript at first, gzipped', async () => {
    expect(await gzippedBytes(initial)).toBeLessThanOrEqual(MAX_INITIAL_BYTES);
  });

  it('serves one font, of at most 40 kB', async () => {
    const fonts = (await readdir(path.join(DIST, 'assets'))).filter((name) => name.endsWith('.woff2'));
    expect(fonts).toHaveLength(1);
    const bytes = await readFile(path.join(DIST, 'assets', fonts[0] ?? ''));
    expect(bytes.length).toBeLessThanOrEqual(MAX_FONT_BYTES);
  });

  it('sends at most 112 kB of JavaScript for the page of an incident with its chart', async () => {
    const all = new Set(initial);
    for (const key of INCIDENT) closure(key, false, all);
    let sum = 0;
    for (const key of all) sum += (await stat(path.join(DIST, `${chunk(key).file}.br`))).size;
    expect(sum).toBeLessThanOrEqual(MAX_INCIDENT_BYTES);
  });

  it('splits the JavaScript by route', () => {
    expect(routes.length).toBeGreaterThan(10);
  });

  it.each(routes)('loads at most 55 kB more for %s, with all that follows later', async (route) => {
    // The parts of the entry are loaded already; through them every other route could be reached.
    const all = closure(route, true, new Set(initial));
    expect(await gzippedBytes([...all].filter((key) => !initial.has(key)))).toBeLessThanOrEqual(
      MAX_ROUTE_BYTES,
    );
  });

  it('loads at most 60 kB for the lists of selects and menus together, and never at first', async () => {
    const all = new Set(initial);
    for (const key of popups) closure(key, true, all);
    expect(popups).toHaveLength(2);
    expect(await gzippedBytes([...all].filter((key) => !initial.has(key)))).toBeLessThanOrEqual(
      MAX_POPUP_BYTES,
    );
  });
});
