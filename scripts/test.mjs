import { buildMissing } from './build.mjs';
import { installMissing, run } from './install.mjs';

const startMs = performance.now();
installMissing();
// The tests of the dashboard open the built pages.
buildMissing();
console.log(`Installed and built in ${((performance.now() - startMs) / 1000).toFixed(1)} s.`);
// `npm test -- some/file` runs that file only; `--long` runs fuzz rounds, seeds and property runs in their full number.
const parameters = process.argv.slice(2);
const length = parameters.includes('--long') ? { TOCSIN_TEST_LONG: '1' } : {};
run('vitest', ['run', ...parameters.filter((parameter) => parameter !== '--long')], length);
