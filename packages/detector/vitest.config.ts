import { defineConfig } from 'vitest/config';
import { scaled } from '../../server/test/support/time-scale.ts';

export default defineConfig({
  ssr: { resolve: { conditions: ['tocsin-source', 'module', 'node', 'development'] } },
  test: {
    name: 'detector',
    include: ['src/**/*.test.ts'],
    isolate: false,
    testTimeout: scaled(30_000),
  },
});
