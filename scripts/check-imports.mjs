import { findBreaches } from './imports/find-breaches.mjs';
import { readAllImports } from './imports/read-imports.mjs';
import { ROOT } from './install.mjs';

/* Prints each import that runs against the rules of scripts/imports/rules.mjs, and ends with 1 where there is one. */
const breaches = findBreaches(readAllImports(ROOT));
for (const breach of breaches) console.error(breach);
process.exitCode = breaches.length > 0 ? 1 : 0;
