import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { longForm } from '../support/test-length.ts';
import { scaled } from '../support/time-scale.ts';

const support = (file: string) => fileURLToPath(new URL(`../support/${file}`, import.meta.url));

/** Factor on time limits in `npm run test:archive -- --long`. */
const LENGTH = longForm ? 20 : 1;

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // The packages of the repository run from their sources.
  ssr: { resolve: { conditions: ['tocsin-source', 'module', 'node', 'development'] } },
  test: {
    name: 'archive',
    include: ['run-*.ts'],
    maxWorkers: 2,
    execArgv: ['--import', support('typescript-in-workers.mjs')],
    globalSetup: [support('global-setup.ts')],
    testTimeout: scaled(60_000 * LENGTH),
    hookTimeout: scaled(120_000),
  },
});
