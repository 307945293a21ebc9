import { fileURLToPath } from 'node:url';

/** Root of the repository; from `bench/dist/support`, where this runs. */
export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
