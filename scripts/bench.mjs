import { buildMissing } from './build.mjs';
import { installMissing, run } from './install.mjs';

installMissing();
buildMissing();
run('node', [`bench/${process.argv[2]}.mjs`, ...process.argv.slice(3)]);
