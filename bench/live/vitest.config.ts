import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** A run takes minutes; the limit ends one that hangs. */
const LIMIT_MS = 90 * 60_000;
const server = (file: string) => fileURLToPath(new URL(`../../server/test/support/${file}`, import.meta.url));

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // The packages of the repository run from their sources.
  ssr: { resolve: { conditions: ['tocsin-source', 'module', 'node', 'development'] } },
  test: {
    execArgv: ['--import', server('typescript-in-workers.mjs')],
    name: 'live scenarios',
    include: ['live-scenarios.ts'],
    globalSetup: [
      server('global-setup.ts'),
      fileURLToPath(new URL('../../dashboard/test/support/find-chromium.ts', import.meta.url)),
    ],
    testTimeout: LIMIT_MS,
    hookTimeout: LIMIT_MS,
    // The table is printed as it is, without the place in the source.
    disableConsoleIntercept: true,
  },
});
