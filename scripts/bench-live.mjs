import { buildMissing } from './build.mjs';
import { installMissing, run } from './install.mjs';

installMissing();
// The benchmark visits the built pages.
buildMissing();
run('vitest', ['run', '--config', 'bench/live/vitest.config.ts', ...process.argv.slice(2)]);
