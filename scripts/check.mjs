import { installMissing, run } from './install.mjs';

/*
 * Runs all checks that need no running service: format, lint (floating promises and import cycles
 * included), import directions, types of every workspace, unused code, and the tests of texts and documents.
 * `npm test` runs all tests.
 */
installMissing();
run('biome', ['check', '--error-on-warnings', '.']);
run('oxlint', ['--type-aware', '--deny-warnings']);
run('node', ['scripts/check-imports.mjs']);
for (const name of ['detector', 'embedded-postgres', 'simulation']) run('tsc', ['-p', `packages/${name}`]);
run('tsc', ['-p', 'server']);
run('tsc', ['-p', 'dashboard']);
run('tsc', ['-p', 'bench']);
run('tsc', ['-p', 'scripts']);
run('node', ['sdk/node_modules/typescript/bin/tsc', '-p', 'sdk', '--noEmit']);
run('knip', []);
run('vitest', ['run', '--project', 'static', '--reporter', 'dot']);
