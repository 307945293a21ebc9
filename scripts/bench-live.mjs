import { buildMissing } from './build.mjs';
import { installMissing, run } from './install.mjs';

installMissing();
// The page that is visited is the built one.
buildMissing();
run('vitest', ['run', '--config', 'bench/live/vitest.config.ts', ...process.argv.slice(2)]);
