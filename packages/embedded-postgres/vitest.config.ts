import { defineConfig } from 'vitest/config';
import { scaled } from '../../server/test/support/time-scale.ts';

export default defineConfig({
  ssr: { resolve: { conditions: ['tocsin-source', 'module', 'node', 'development'] } },
  test: {
    name: 'embedded-postgres',
    include: ['src/**/*.test.ts'],
    testTimeout: scaled(30_000),
    hookTimeout: scaled(60_000),
  },
});
