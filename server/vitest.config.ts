import { defineConfig } from 'vitest/config';
import { scaled } from './test/support/time-scale.ts';

export default defineConfig({
  test: {
    name: 'server',
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: 'test/support/global-setup.ts',
    testTimeout: scaled(30_000),
    hookTimeout: scaled(60_000),
  },
});
