import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Path of the browser's program. */
    chromium: string;
  }
}

/** Without a screen the shell does the same for a sixth less of the CPU: the whole browser also runs its own surface. */
const PLACES = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** Finds a Chromium: of the system, or of Playwright; else installs one. */
export default function setUp(project: TestProject): void {
  project.provide('chromium', find() ?? install());
}

function find(): string | undefined {
  return [...PLACES, chromium.executablePath()].find((place) => place !== undefined && existsSync(place));
}

function install(): string {
  const attempts: [string, string[]][] = [
    ['npx', ['playwright-core', 'install', 'chromium']],
    ['apt-get', ['install', '--yes', '--no-install-recommends', 'chromium-headless-shell']],
    ['apt-get', ['install', '--yes', '--no-install-recommends', 'chromium']],
  ];
  // Package lists may be missing on a fresh machine; without them nothing is found to install.
  if (process.getuid?.() === 0) attempts.splice(1, 0, ['apt-get', ['update', '--quiet']]);
  for (const [command, parameters] of attempts) {
    spawnSync(command, parameters, { stdio: 'ignore', timeout: 300_000 });
    const found = find();
    if (found) return found;
  }
  throw new Error(
    'The tests of the dashboard need a Chromium: install the package `chromium`, or name one in CHROMIUM_PATH.',
  );
}
