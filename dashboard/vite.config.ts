import path from 'node:path';
import tailwind from '@tailwindcss/vite';
import { defineConfig } from 'vite';
import { createChunkGroups } from './chunk-groups.ts';
import { preloadPages } from './preload-pages.ts';

/** URL of the API during development (`npm run dev -w @tocsin/dashboard`). */
const API = 'http://localhost:4000';
/** Paths of the API: all but the pages. */
const API_PATH = '^/(?!app(?:[/?]|$))';

/**
 * Preact has the interface of React in a sixth of its size. The types are those of React, and the libraries name it as their peer:
 * both stay in `package.json`, and the pages hold nothing of them. The types allow what Preact does not do: `spellCheck={false}`,
 * `autoFocus` (except that of `TextField`), `onChange` of a container, actions of forms, events through portals, `<title>` and `<meta>`
 * in a page, and the refusal of `javascript:` in addresses.
 */
const PREACT = [
  { find: /^react(?:-dom)?$/, replacement: 'preact/compat' },
  { find: /^react-dom\/client$/, replacement: 'preact/compat/client' },
  { find: /^react\/jsx-(?:dev-)?runtime$/, replacement: 'preact/jsx-runtime' },
];

const { groups, check } = createChunkGroups(path.join(import.meta.dirname, 'src'));

export default defineConfig({
  base: '/app/',
  resolve: { alias: PREACT },
  plugins: [tailwind(), preloadPages(import.meta.dirname), check],
  build: {
    // The Content-Security-Policy forbids inlined fonts and scripts.
    assetsInlineLimit: 0,
    target: 'es2022',
    // Browsers without modulepreload load the same a little later.
    modulePreload: { polyfill: false },
    // Lists the imports of each chunk, from which a test computes sizes.
    manifest: true,
    rolldownOptions: {
      output: {
        codeSplitting: { includeDependenciesRecursively: false, groups },
      },
      // `"use client"` is only meaningful for servers that render pages; there is none here.
      onLog: (level, log, handle) => {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') handle(level, log);
      },
    },
  },
  server: {
    proxy: { [API_PATH]: { target: API, ws: true } },
  },
});
