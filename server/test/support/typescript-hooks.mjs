import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'rolldown/utils';

/**
 * Removes the types of TypeScript sources as they are loaded.
 * @type {import('node:module').LoadHook}
 */
export async function load(url, context, nextLoad) {
  if (!url.endsWith('.ts')) return nextLoad(url, context);
  const file = fileURLToPath(url);
  const { code, errors } = transformSync(file, await readFile(file, 'utf8'));
  if (errors.length > 0) throw new Error(`${file} cannot be read.`, { cause: errors });
  return { format: 'module', source: code, shortCircuit: true };
}
