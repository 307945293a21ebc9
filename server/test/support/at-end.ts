import { afterAll, onTestFinished, TestRunner } from 'vitest';

/** Calls `finish` at the end of the running test; outside of one, at the end of the file or `describe` whose body runs. */
export function atEnd(finish: () => unknown): void {
  const end = async () => void (await finish());
  // A hook that is registered while a test runs would never be called.
  if (TestRunner.getCurrentTest()) onTestFinished(end);
  else afterAll(end);
}
