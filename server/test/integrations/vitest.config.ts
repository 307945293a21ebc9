import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { scaled } from '../support/time-scale.ts';

const support = (file: string) => fileURLToPath(new URL(`../support/${file}`, import.meta.url));

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // The packages of the repository run from their sources.
  ssr: { resolve: { conditions: ['tocsin-source', 'module', 'node', 'development'] } },
  test: {
    name: 'clients',
    include: ['run-*.ts'],
    // They write one matrix.
    fileParallelism: false,
    execArgv: ['--import', support('typescript-in-workers.mjs')],
    globalSetup: [support('global-setup.ts')],
    testTimeout: scaled(60_000),
    hookTimeout: scaled(300_000),
  },
});
