import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin, Rollup } from 'vite';

const ROUTERS = ['src/app/router.tsx', 'src/app/alert-pages.ts'];
/** The path and the module of a page, as the routers have them. */
const PAGE =
  /path: '(?<path>\/[^']*)',(?:(?!createRoute)[\s\S])*?import\('\.\.\/(?<module>features\/[^']+)'\)/g;

const SCRIPT = /<script src="[^"]*\/first-paint\.js"/;

/**
 * Writes into the page which chunks each address needs, for `public/first-paint.js`: they are requested together with
 * the first ones, in place of after them.
 */
export function preloadPages(root: string): Plugin {
  let base = '/';
  return {
    name: 'preload-pages',
    configResolved: (config) => {
      base = config.base;
    },
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle }) => {
        if (!bundle) return undefined;
        const chunks = Object.values(bundle).filter((part) => part.type === 'chunk');
        const entry = chunks.find(({ isEntry }) => isEntry);
        if (!entry) throw new Error('The build has no entry.');
        const initial = closureOf(entry, chunks);
        const routers = ROUTERS.map((file) => readFileSync(path.join(root, file), 'utf8')).join('\n');
        const pages = [...routers.matchAll(PAGE)].map(({ groups }) => {
          const chunk = chunks.find(({ facadeModuleId }) =>
            facadeModuleId?.endsWith(`src/${groups?.module}`),
          );
          if (!groups?.path || !chunk) throw new Error(`The build has no page for ${groups?.path}.`);
          const pattern = `^${groups.path.replaceAll(/\$\w+/g, '[^/]+')}$`;
          const files = [...closureOf(chunk, chunks)].filter((file) => !initial.has(file));
          return [pattern, files.map((file) => base + file)] as const;
        });
        if (pages.length === 0) throw new Error(`No page was found in ${ROUTERS.join(', ')}.`);
        // Fixed paths come before those with a variable part.
        const ordered = pages.toSorted(([left], [right]) => count(left) - count(right));
        // An attribute, not a script of data: the page has no inline script of any kind.
        if (!SCRIPT.test(html)) throw new Error('The page has no script first-paint.js.');
        return html.replace(
          SCRIPT,
          (tag) => `${tag} data-pages="${escapeAttribute(JSON.stringify(ordered))}"`,
        );
      },
    },
  };
}

const escapeAttribute = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

const count = (pattern: string) => pattern.split('[^/]+').length;

/** Returns a chunk and all its static imports. */
function closureOf(chunk: Rollup.OutputChunk, chunks: Rollup.OutputChunk[], found = new Set<string>()) {
  if (found.has(chunk.fileName)) return found;
  found.add(chunk.fileName);
  for (const name of chunk.imports) {
    const next = chunks.find(({ fileName }) => fileName === name);
    if (next) closureOf(next, chunks, found);
  }
  return found;
}
