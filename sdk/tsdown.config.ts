import { defineConfig } from 'tsdown';

export default defineConfig({
  entry: ['src/index.ts'],
  format: ['esm', 'cjs'],
  // No Node built-ins: the same file runs on edge runtimes.
  platform: 'neutral',
  target: 'es2022',
  dts: { sourcemap: false },
  minify: true,
  sourcemap: true,
  fixedExtension: true,
  logLevel: 'warn',
  outputOptions: { exports: 'named' },
});
