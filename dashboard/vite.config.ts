import path from 'node:path';
import tailwind from '@tailwindcss/vite';
import { defineConfig } from 'vite';
import { createChunkGroups } from './chunk-groups.ts';
import { leanPlot } from './lean-uplot.ts';
import { preloadPages } from './preload-pages.ts';

/** Where the API answers while the dashboard is developed (`npm run dev -w @tocsin/dashboard`). */
const API = 'http://localhost:4000';
/** All but the pages. */
const API_PATH = '^/(?!app(?:[/?]|$))';

const { groups, check } = createChunkGroups(path.join(import.meta.dirname, 'src'));

export default defineConfig({
  base: '/app/',
  plugins: [tailwind(), leanPlot, preloadPages(import.meta.dirname), check],
  build: {
    // The Content-Security-Policy takes no inlined fonts or scripts.
    assetsInlineLimit: 0,
    target: 'es2022',
    // Browsers that know no modulepreload load the same a little later.
    modulePreload: { polyfill: false },
    // Says which chunk needs which: the bounds on sizes are asserted from it.
    manifest: true,
    rolldownOptions: {
      output: {
        // Each chunk names those that it needs, and the first one all of them: names would be 0.7 kB of it, compressed.
        chunkFileNames: 'assets/[hash].js',
        codeSplitting: { includeDependenciesRecursively: false, groups },
      },
      // `"use client"` means something to servers that render React; there is none here.
      onLog: (level, log, handle) => {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') handle(level, log);
      },
    },
  },
  server: {
    proxy: { [API_PATH]: { target: API, ws: true } },
  },
});
