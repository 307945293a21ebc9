import { register } from 'node:module';

// For the sources that the processes and threads of the tests load themselves, past Vitest: Node before 22.18 reads no types.
register('./typescript-hooks.mjs', import.meta.url);
