import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Path of the browser's program, or of its headless shell if there is one. */
    chromium: string;
    /** Path of the program of the whole browser, which also shows notifications. */
    wholeChromium: string;
  }
}

/** Path of the headless shell, which needs a sixth less CPU than the whole browser, but shows no notifications. */
const SHELL = '/usr/bin/chromium-headless-shell';

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** Finds a Chromium: of the system, or of Playwright; else installs one. */
export default function setUp(project: TestProject): void {
  const whole = process.env.CHROMIUM_PATH || (find() ?? install());
  project.provide('wholeChromium', whole);
  project.provide('chromium', !process.env.CHROMIUM_PATH && existsSync(SHELL) ? SHELL : whole);
}

function find(): string | undefined {
  return [...PLACES, chromium.executablePath()].find((place) => existsSync(place));
}

function install(): string {
  const aptInstall = ['install', '--yes', '--no-install-recommends', 'chromium'];
  const attempts: [string, string[]][] = [
    ['npx', ['playwright-core', 'install', 'chromium']],
    ['apt-get', [...aptInstall, 'chromium-headless-shell']],
    ['apt-get', aptInstall],
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
