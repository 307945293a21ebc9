import { createHash } from 'node:crypto';
import path from 'node:path';
import { BaseSequencer } from 'vitest/node';

/** Projects, the longest first: a process that ends one begins the next with new modules. */
const PROJECTS = ['service', 'isolated', 'clusters', 'unit', 'static'];

/** Folder of the tests of pages, which come first: they take longest. */
const PAGES = '/dashboard/test/';

/** Share of runs with a random order, which keeps files independent of those before them. */
const RANDOM_SHARE = 1 / 3;

/**
 * Orders the test files: pages first, then by project, and within each the slowest of the last run first, so that the processes
 * end together; or random, by a seed that is printed. `TOCSIN_TEST_SEED` repeats an order.
 */
export class TestOrder extends BaseSequencer {
  /**
   * @override
   * @type {BaseSequencer['sort']}
   */
  async sort(files) {
    const seed = chooseSeed();
    const sorted =
      seed === null
        ? await super.sort(files)
        : files.toSorted((left, right) => (drawPlace(left, seed) < drawPlace(right, seed) ? -1 : 1));
    return sorted.toSorted((left, right) => placeOf(left) - placeOf(right));
  }
}

/** @param {import('vitest/node').TestSpecification} file */
function placeOf({ project, moduleId }) {
  return moduleId.includes(PAGES) ? -1 : PROJECTS.indexOf(project.name);
}

/** @returns {number | null} null for no random order */
function chooseSeed() {
  const given = process.env.TOCSIN_TEST_SEED;
  if (!given && Math.random() >= RANDOM_SHARE) return null;
  const seed = given ? Number(given) : Math.floor(Math.random() * 2 ** 31);
  console.log(`The files run in a random order: TOCSIN_TEST_SEED=${seed} repeats it.`);
  return seed;
}

/**
 * @param {import('vitest/node').TestSpecification} file
 * @param {number} seed
 * @returns {string} a place in an order that depends on the seed alone
 */
function drawPlace({ project, moduleId }, seed) {
  const file = path.relative(project.config.root, moduleId);
  return createHash('sha256').update(`${seed} ${file}`).digest('hex');
}
