import tailwind from '@tailwindcss/vite';
import { defineConfig, type Plugin } from 'vite';
import { preloadPages } from './preload-pages.ts';

/** Where the API answers while the dashboard is developed (`npm run dev -w @tocsin/dashboard`). */
const API = 'http://localhost:4000';
/** All but the pages. */
const API_PATH = '^/(?!app(?:[/?]|$))';

/**
 * Leaves out what the charts need not of uPlot: they draw their values by themselves, and its path builders, which it
 * keeps reachable, are an eighth of it. Its version is pinned; where its source has changed, the build fails here.
 */
const leanPlot: Plugin = {
  name: 'lean-uplot',
  transform(code, id) {
    if (!id.endsWith('/uplot/dist/uPlot.esm.js')) return null;
    let lean = code;
    const cuts: [RegExp, string][] = [
      [/^const linearPath = linear\(\) ;$/m, 'const linearPath = null;'],
      [/^const pointsPath = points\(\) ;$/m, 'const pointsPath = null;'],
      [/^uPlot\.assign = assign;$[^]*?(?=^export )/m, 'uPlot.tzDate = tzDate;\n'],
    ];
    for (const [part, replacement] of cuts) {
      if (!part.test(lean)) throw new Error(`uPlot has no part that matches ${part.source}.`);
      lean = lean.replace(part, replacement);
    }
    return { code: lean, map: null };
  },
};

/**
 * Small parts of most pages behind the login, none of them needed at first. By themselves they would be some twenty chunks,
 * which compress worse.
 */
const SHARED =
  /dashboard\/src\/(?:ui\/(?:charts\/(?:slot-table|chart-figure|mark-layer|mark-layout|plot-frame|chart-time|sparkline|observed-slots)|display\/(?:sentence|incident-status|local-times|severity-fills)|forms\/(?:field|form)\.|layout\/dialog|controls\/(?:copy-button|key)|feedback\/load-more|event\/(?:message|read-frames))|lib\/(?:affected|release-marks|draft|members|durations|form-errors|histogram-))|@tanstack\/(?:react-query|query-core)\/.*\/(?:useInfiniteQuery|infiniteQuery)/;

/** The same for the pages of one subject. */
const TOGETHER = [
  {
    name: 'incidents',
    test: /features\/incidents\/(?:texts|queries|headline|change\/(?:explain-failure|severity-field)|evidence\/evidence-words)\./,
  },
  { name: 'observed', test: /dashboard\/src\/(?:ui\/charts\/observed-(?:chart|slots)|lib\/affected)\./ },
];

export default defineConfig({
  base: '/app/',
  plugins: [tailwind(), leanPlot, preloadPages(import.meta.dirname)],
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
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            // All that comes before the first page is one chunk: two dozen compress worse and are as many requests.
            { name: 'first', tags: ['$initial'] },
            { name: 'shared', test: SHARED },
            ...TOGETHER,
          ],
        },
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
