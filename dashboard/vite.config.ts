import tailwind from '@tailwindcss/vite';
import { defineConfig } from 'vite';

/** Where the API answers while the dashboard is developed (`npm run dev -w @tocsin/dashboard`). */
const API = 'http://localhost:4000';
const API_PATHS = [
  'auth',
  'organizations',
  'projects',
  'api-keys',
  'events',
  'groups',
  'releases',
  'incidents',
  'service',
];

export default defineConfig({
  base: '/app/',
  plugins: [tailwind()],
  build: {
    // The Content-Security-Policy takes no inlined fonts or scripts.
    assetsInlineLimit: 0,
    target: 'es2022',
    // Says which chunk needs which: the bounds on sizes are asserted from it.
    manifest: true,
    rolldownOptions: {
      // `"use client"` means something to servers that render React; there is none here.
      onLog: (level, log, handle) => {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') handle(level, log);
      },
    },
  },
  server: {
    proxy: {
      ...Object.fromEntries(API_PATHS.map((path) => [`/${path}`, API])),
      '/ws': { target: API, ws: true },
    },
  },
});
