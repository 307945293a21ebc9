import { installMissing, run } from './install.mjs';

installMissing();
// `npm test -- some/file` runs that file only.
run('vitest', ['run', ...process.argv.slice(2)]);
