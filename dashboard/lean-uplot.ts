import type { Plugin } from 'vite';

/** Code that the charts never call, by its lines in the source: uPlot keeps it reachable, so no bundler leaves it out. */
const CUTS = [
  { from: 'const linearPath = linear() ;', to: '\n', becomes: 'const linearPath = null;' },
  { from: 'const pointsPath = points() ;', to: '\n', becomes: 'const pointsPath = null;' },
  { from: 'uPlot.assign = assign;', to: '\nexport ', becomes: 'uPlot.tzDate = tzDate;\n' },
];

/**
 * Leaves out the parts of uPlot that the charts do not need: they draw their values by themselves. With its path builders the page of an
 * incident would exceed the bar of `test/size.test.ts`. Its version is pinned; where its source has changed, the build fails here.
 */
export const leanPlot: Plugin = {
  name: 'lean-uplot',
  transform(code, id) {
    if (!id.endsWith('/uplot/dist/uPlot.esm.js')) return null;
    let lean = code;
    for (const { from, to, becomes } of CUTS) {
      const start = lean.indexOf(`\n${from}`) + 1;
      const end = lean.indexOf(to, start);
      if (start === 0 || end === -1) throw new Error(`uPlot has no part from ${from}`);
      lean = lean.slice(0, start) + becomes + lean.slice(end);
    }
    return { code: lean, map: null };
  },
};
