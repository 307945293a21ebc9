import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: ['packages/detector', 'packages/embedded-postgres', 'server', 'sdk', 'dashboard'],
    reporters: ['default', './scripts/closing-line-reporter.mjs'],
    // Two cores are what the smallest machine has; more processes only fight for them.
    maxWorkers: 2,
  },
});
