import { fileURLToPath } from 'node:url';

/** Of the repository; from `bench/dist/support`, where this runs. */
export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
