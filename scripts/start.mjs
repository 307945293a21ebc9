import { buildMissing } from './build.mjs';
import { installMissing } from './install.mjs';

installMissing();
buildMissing();
// In this process, so that signals need no passing on.
process.argv.splice(2, 0, 'start');
await import('../server/dist/main.js');
