import { buildMissing } from './build.mjs';
import { installMissing, run } from './install.mjs';

/* Writes the backup of this version that the upgrade tests of all later ones restore: CONTRIBUTING.md, "Releasing". */
installMissing();
buildMissing();
run('vitest', ['run', '--config', 'server/test/cli/releases/vitest.config.ts']);
