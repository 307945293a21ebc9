import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      'packages/detector',
      'packages/embedded-postgres',
      'packages/simulation',
      'server',
      'sdk',
      'dashboard',
      'bench',
    ],
    reporters: ['default', './scripts/closing-line-reporter.mjs'],
    // Two cores are what the smallest machine has. A third process works while the others wait: for a page, a lock, a round.
    maxWorkers: 3,
  },
});
