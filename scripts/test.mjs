import { buildMissing } from './build.mjs';
import { installMissing, run } from './install.mjs';

installMissing();
// The tests of the dashboard open what is built.
buildMissing();
// `npm test -- some/file` runs that file only.
run('vitest', ['run', ...process.argv.slice(2)]);
