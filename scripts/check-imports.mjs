import { findBreaches } from './imports/find-breaches.mjs';
import { readAllImports } from './imports/read-imports.mjs';
import { ROOT } from './install.mjs';

/* Prints each import that breaks the rules of scripts/imports/rules.mjs, and exits with 1 if there is one. */
const breaches = findBreaches(readAllImports(ROOT));
for (const breach of breaches) console.error(breach);
process.exitCode = breaches.length > 0 ? 1 : 0;
