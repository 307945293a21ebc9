import { afterAll, inject } from 'vitest';
import { assertNothingLeft, keepPresent } from './leaks.ts';
import { assertNothingOpen } from './service.ts';

// Runs before each file. The first hook that is registered is the last that runs: after those of the file itself.
const [, postgresPort] = /:(\d+)\//.exec(inject('postgresUrl')) ?? [];
keepPresent(postgresPort === undefined ? null : Number(postgresPort));
// oxlint-disable-next-line no-empty-pattern -- Vitest reads from the first parameter which fixtures a hook needs
afterAll(async ({}, { tasks }) => {
  // Vitest calls no hook of a `describe` all of whose tests are left out, by `-t` for instance: its service goes on.
  if (!tasks.some(({ mode }) => mode === 'skip')) await assertNothingLeft();
  await assertNothingOpen();
});
