import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { name: 'bench', include: ['table/**/*.test.ts', 'support/**/*.test.ts'], isolate: false },
});
