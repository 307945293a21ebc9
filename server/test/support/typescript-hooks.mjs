import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** Not committed, and removed with the installed packages. */
const CACHE = path.join(ROOT, 'node_modules/.cache/tocsin-sources');

/**
 * Finds the packages of the repository by their sources, and sources by their path alone.
 * @type {import('node:module').ResolveHook}
 */
export async function resolve(specifier, context, nextResolve) {
  if (specifier.startsWith('.') && specifier.endsWith('.ts'))
    return { url: new URL(specifier, context.parentURL).href, shortCircuit: true };
  if (!specifier.startsWith('@tocsin/')) return nextResolve(specifier, context);
  return nextResolve(specifier, { ...context, conditions: [...context.conditions, 'tocsin-source'] });
}

/**
 * Removes the types of TypeScript sources as they are loaded.
 * @type {import('node:module').LoadHook}
 */
export async function load(url, context, nextLoad) {
  if (!url.endsWith('.ts')) return nextLoad(url, context);
  return { format: 'module', source: await removeTypes(fileURLToPath(url)), shortCircuit: true };
}

/**
 * Returns a source as JavaScript. It is kept in a file, which ends with a digest of the source: each of the many processes of
 * a run needs a thousand.
 * @param {string} file
 */
async function removeTypes(file) {
  const source = readFileSync(file, 'utf8');
  const end = `//${createHash('sha256').update(source).digest('hex')}`;
  const kept = path.join(CACHE, path.relative(ROOT, file).replaceAll(path.sep, '+'));
  const known = existsSync(kept) ? readFileSync(kept, 'utf8') : '';
  if (known.endsWith(end)) return known;
  const { transformSync } = await import('rolldown/utils');
  const { code, errors } = transformSync(file, source);
  if (errors.length > 0) throw new Error(`${file} cannot be read.`, { cause: errors });
  mkdirSync(CACHE, { recursive: true });
  const draft = `${kept}.${randomUUID()}`;
  writeFileSync(draft, `${code}\n${end}`);
  renameSync(draft, kept);
  return code;
}
