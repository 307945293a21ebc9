import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { scaled } from './test/support/time-scale.ts';

export default defineConfig({
  // The packages of the repository are tested from their sources.
  ssr: { resolve: { conditions: ['tocsin-source', 'module', 'node', 'development'] } },
  test: {
    // What the program runs in a thread of its own is TypeScript here as well.
    execArgv: [
      '--import',
      fileURLToPath(new URL('./test/support/typescript-in-workers.mjs', import.meta.url)),
    ],
    name: 'server',
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: 'test/support/global-setup.ts',
    testTimeout: scaled(30_000),
    hookTimeout: scaled(60_000),
  },
});
