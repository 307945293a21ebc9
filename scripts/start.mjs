import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildMissing } from './build.mjs';
import { installMissing, ROOT } from './install.mjs';

installMissing();
buildMissing();
// Runs in this process: signals then reach it directly.
const program = path.join(ROOT, 'server/dist/main.js');
process.argv.splice(1, 1, program, 'start');
await import(pathToFileURL(program).href);
