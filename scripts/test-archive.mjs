import { buildMissing } from './build.mjs';
import { installMissing, installOf, run } from './install.mjs';

/*
 * Runs the tests of the archive with the engine of ClickHouse, which is installed into `test/archive` by this command alone:
 * over 500 MB. `-- --long` runs them in their full number. A name runs the files that have it.
 */
installMissing();
installOf('test/archive');
buildMissing();
const parameters = process.argv.slice(2);
const length = parameters.includes('--long') ? { TOCSIN_TEST_LONG: '1' } : {};
const others = parameters.filter((parameter) => parameter !== '--long');
run('vitest', ['run', '--config', 'server/test/archive/vitest.config.ts', ...others], length);
