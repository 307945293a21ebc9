import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { scaled } from '../server/test/support/time-scale.ts';

export default defineConfig({
  // The packages of the repository are tested from their sources.
  ssr: { resolve: { conditions: ['tocsin-source', 'module', 'node', 'development'] } },
  test: {
    // What the program runs in a thread of its own is TypeScript here as well.
    execArgv: [
      '--import',
      fileURLToPath(new URL('../server/test/support/typescript-in-workers.mjs', import.meta.url)),
    ],
    name: 'dashboard',
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: [
      '../server/test/support/global-setup.ts',
      '../server/test/support/build-sdk.ts',
      './test/support/find-chromium.ts',
    ],
    testTimeout: scaled(60_000),
    hookTimeout: scaled(90_000),
    // How long something is waited for: a bound for what hangs, not a figure.
    expect: { poll: { timeout: scaled(15_000) } },
  },
});
