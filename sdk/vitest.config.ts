import { defineConfig } from 'vitest/config';
import { scaled } from '../server/test/support/time-scale.ts';

export default defineConfig({
  test: { name: 'sdk', include: ['test/**/*.test.ts'], testTimeout: scaled(60_000) },
});
