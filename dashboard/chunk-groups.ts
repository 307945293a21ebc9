import path from 'node:path';
import type { Plugin } from 'vite';

/**
 * Small parts of several pages, none of them needed at first, as one chunk each: by themselves they would be some twenty,
 * which compress worse. Modules by their folders in `src`. Groups of whole folders, by the number of pages that share a module
 * or by what the largest pages have in common were tried: each puts some page beyond the bar of `test/size.test.ts`.
 */
const GROUPS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  shared: {
    'ui/charts': [
      'slot-table',
      'chart-figure',
      'mark-layer',
      'mark-layout',
      'plot-frame',
      'chart-time',
      'observed-slots',
    ],
    'ui/display': ['incident-status', 'severity-fills'],
    'ui/forms': ['field', 'form'],
    'ui/feedback': ['load-more'],
    'ui/event': ['place-of'],
    lib: ['draft', 'form-errors', 'histogram-query', 'histogram-scans'],
  },
  incidents: {
    'features/incidents': ['texts', 'queries'],
    'features/incidents/change': ['explain-failure', 'severity-field'],
    'features/incidents/evidence': ['evidence-words'],
  },
  observed: { 'ui/charts': ['observed-chart'] },
};

/** The library's part for lists that load more: pages without one need none of it. */
const LISTS = /\/@tanstack\/(?:react-query|query-core)\/.+\/(?:useInfiniteQuery|infiniteQuery\w+)\.js$/;

/** @param sources the folder `src` */
export function createChunkGroups(sources: string) {
  const names = new Map<string, string>();
  for (const [name, folders] of Object.entries(GROUPS)) {
    for (const [folder, modules] of Object.entries(folders))
      for (const module of modules) names.set(path.join(sources, folder, module), name);
  }
  const unused = new Set(names.keys());
  const nameOf = (id: string) => {
    if (LISTS.test(id)) return 'shared';
    const module = id.replace(/\.tsx?$/, '');
    unused.delete(module);
    return names.get(module) ?? null;
  };
  /** Fails the build where a group names a module that was moved. */
  const check: Plugin = {
    name: 'chunk-groups',
    generateBundle() {
      if (unused.size > 0) throw new Error(`No chunk has these modules: ${[...unused].join(', ')}.`);
    },
  };
  // All that comes before the first page is one chunk: two dozen compress worse and are as many requests.
  return {
    groups: [
      { name: 'first', tags: ['$initial' as const] },
      { name: nameOf, debugName: 'parts' },
    ],
    check,
  };
}
