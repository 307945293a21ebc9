import { availableParallelism, loadavg } from 'node:os';

/** Variable with the factor, which is measured once per run and inherited by the processes of the test files. */
const VARIABLE = 'TOCSIN_TEST_TIME_SCALE';
const LOOP_STEPS = 40_000_000;
/** Wall time of the loop below on a quiet core of the smallest machine that the tests are meant for. */
const QUIET_LOOP_MS = 100;
const MAX_SCALE = 20;

/**
 * A time limit of a test, stretched to the machine: limits end what hangs and are never what a test asserts.
 * @param limitMs the limit on a quiet machine of two cores, in milliseconds
 * @returns the limit times a factor of 1 to 20, which is measured at the start of the run
 */
export function scaled(limitMs: number): number {
  return Math.ceil(limitMs * timeScale());
}

function timeScale(): number {
  process.env[VARIABLE] ??= String(measureTimeScale());
  return Number(process.env[VARIABLE]);
}

/** Returns the larger of two factors: the slowness of a known loop, and the number of processes per core. */
function measureTimeScale(): number {
  const startMs = performance.now();
  runLoop();
  const slowness = (performance.now() - startMs) / QUIET_LOOP_MS;
  const [runnable = 0] = loadavg();
  return Math.min(MAX_SCALE, Math.max(1, slowness, runnable / availableParallelism()));
}

/** Xorshift (Marsaglia, 2003); its value goes into the result, or the compiler would leave the loop out. */
function runLoop(): number {
  let state = 1;
  for (let step = 0; step < LOOP_STEPS; step++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
  }
  return state;
}
