import { buildMissing } from './build.mjs';
import { installMissing, run } from './install.mjs';

installMissing();
buildMissing();
run('tsc', ['-p', 'bench/tsconfig.build.json']);
// Memory can only be measured after garbage collections.
run('node', ['--expose-gc', `bench/dist/${process.argv[2]}.js`, ...process.argv.slice(3)]);
