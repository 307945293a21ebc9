import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildMissing } from './build.mjs';
import { installMissing, ROOT } from './install.mjs';

installMissing();
buildMissing();
// Runs in this process: signals then reach it directly.
process.argv.splice(2, 0, 'start');
await import(pathToFileURL(path.join(ROOT, 'server/dist/main.js')).href);
