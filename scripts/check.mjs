import { buildMissing } from './build.mjs';
import { installMissing, run } from './install.mjs';

/*
 * The one gate: what passes here may be committed. Format, lint (floating promises and import cycles
 * included), import directions, types, then all tests, which also hold the documents
 * to the code.
 */
installMissing();
run('biome', ['check', '--error-on-warnings', '.']);
run('oxlint', ['--type-aware', '--deny-warnings']);
run('node', ['scripts/import-rules.mjs']);
run('tsc', ['-p', 'server']);
run('tsc', ['-p', 'dashboard']);
run('node', ['sdk/node_modules/typescript/bin/tsc', '-p', 'sdk', '--noEmit']);
buildMissing();
run('vitest', ['run']);
