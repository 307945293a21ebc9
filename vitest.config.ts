import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import './server/test/support/typescript-in-workers.mjs';
import { ISOLATED_TESTS } from './scripts/isolated-tests.mjs';
import { TestOrder } from './scripts/test-order.mjs';
import { findInFile } from './server/test/support/find-in-file.mjs';
import { NODE_FLAGS } from './server/test/support/node-flags.ts';
import { longForm } from './server/test/support/test-length.ts';
import { scaled } from './server/test/support/time-scale.ts';

/** Factor on time limits in `npm run test:long`. */
const LENGTH = longForm ? 20 : 1;

/** Sources of the program: what is tested, without the tests beside it. */
const SOURCES = /\/(?:server|sdk|packages\/[^/]+)\/src\/(?!.*\.test\.ts)/;
const STATIC = 'server/test/static/**/*.test.ts';
const SERVICE = 'server/test/**/*.test.ts';
const CLUSTERS = 'packages/embedded-postgres/src/**/*.test.ts';
const PAGES = 'dashboard/test/**/*.test.ts';
const POSTGRES = 'server/test/support/global-setup.ts';

export default defineConfig({
  // The packages of the repository are tested from their sources.
  ssr: { resolve: { conditions: ['tocsin-source', 'module', 'node', 'development'] } },
  test: {
    reporters: ['default', './scripts/closing-line-reporter.mjs'],
    // Two cores are what the smallest machine has. A third process works while the others wait: for a page, a lock, a round.
    maxWorkers: 3,
    sequence: { sequencer: TestOrder },
    // The files of a process share its modules, which cost more than most tests; `isolated` has those that change what is shared.
    isolate: false,
    // Sources are loaded by Node: once for each process without a message to Vitest, and their imports are those of the
    // program, where Vitest's cost a call for each use. The pages' sources are Vite's.
    server: { deps: { external: [SOURCES] } },
    onStackTrace: (_error, frame) => {
      if (SOURCES.test(frame.file)) Object.assign(frame, findInFile(frame));
    },
    execArgv: [
      // As the service has it: with the default of 16 MB, collecting what is young takes a tenth of the time of all tests.
      '--max-semi-space-size=32',
      ...NODE_FLAGS,
      '--import',
      fileURLToPath(new URL('./server/test/support/typescript-in-workers.mjs', import.meta.url)),
    ],
    testTimeout: scaled(60_000 * LENGTH),
    hookTimeout: scaled(90_000 * LENGTH),
    // How long something is waited for: a bound for what hangs, not a figure.
    expect: { poll: { timeout: scaled(15_000) } },
    projects: [
      {
        extends: true,
        test: {
          // Pages beside the rest: each process of a project begins with new modules, which take it five seconds.
          name: 'service',
          include: [PAGES, SERVICE],
          exclude: [STATIC, ...ISOLATED_TESTS],
          globalSetup: [POSTGRES, 'dashboard/test/support/set-up.ts'],
          setupFiles: 'server/test/support/check-leaks.ts',
        },
      },
      {
        extends: true,
        test: { name: 'isolated', include: ISOLATED_TESTS, isolate: true, globalSetup: [POSTGRES] },
      },
      {
        extends: true,
        // They kill servers, whose connections may break after the file has ended.
        test: { name: 'clusters', include: [CLUSTERS], exclude: ISOLATED_TESTS, isolate: true },
      },
      {
        extends: true,
        test: {
          name: 'unit',
          include: [
            '*/src/**/*.test.ts',
            'packages/*/src/**/*.test.ts',
            'sdk/test/**/*.test.ts',
            'bench/**/*.test.ts',
          ],
          exclude: ['**/node_modules/**', '**/dist/**', CLUSTERS, ...ISOLATED_TESTS],
        },
      },
      { extends: true, test: { name: 'static', include: [STATIC] } },
    ],
  },
});
