import { onTestFailed } from 'vitest';

/**
 * Draws the seed of a property, and prints it if its test fails. Fast-check reports a seed only once it has found the smallest
 * counterexample, for which a test over HTTP may have no time left.
 */
export function drawSeed(): number {
  const seed = Number(process.env.TOCSIN_TEST_SEED || Math.floor(Math.random() * 2 ** 31));
  onTestFailed(() => console.log(`TOCSIN_TEST_SEED=${seed} repeats the values of this test.`));
  return seed;
}
