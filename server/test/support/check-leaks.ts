import { afterAll, inject } from 'vitest';
import { assertNothingLeft, keepPresent } from './leaks.ts';
import { assertNothingOpen } from './service.ts';

// Runs before each file. The first hook that is registered is the last that runs: after those of the file itself.
const [, postgresPort] = /:(\d+)\//.exec(inject('postgresUrl')) ?? [];
keepPresent(postgresPort === undefined ? null : Number(postgresPort));
afterAll(async () => {
  await assertNothingLeft();
  await assertNothingOpen();
});
