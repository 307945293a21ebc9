import { register } from 'node:module';
import { isMainThread } from 'node:worker_threads';

// Vitest reads the sources of its own processes. A thread that they start is Node's, which before 22.18 reads no types.
if (!isMainThread && !('typescript' in process.features && process.features.typescript))
  register('./typescript-hooks.mjs', import.meta.url);
