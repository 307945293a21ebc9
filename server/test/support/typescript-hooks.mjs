import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'rolldown/utils';

/**
 * Finds the packages of the repository by their sources.
 * @type {import('node:module').ResolveHook}
 */
export async function resolve(specifier, context, nextResolve) {
  if (!specifier.startsWith('@tocsin/')) return nextResolve(specifier, context);
  return nextResolve(specifier, { ...context, conditions: [...context.conditions, 'tocsin-source'] });
}

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

/**
 * Returns where a place in a loaded source stands in its file: the lines differ.
 * @param {{ file: string, line: number, column: number }} place
 */
export function findInFile({ file, line, column }) {
  const { map } = transformSync(file, readFileSync(file, 'utf8'), { sourcemap: true });
  if (!map) return { line, column };
  const entry = new SourceMap({ sourcesContent: [], sourceRoot: '', ...map, file }).findEntry(
    line - 1,
    column - 1,
  );
  return 'originalLine' in entry
    ? { line: entry.originalLine + 1, column: entry.originalColumn + 1 }
    : { line, column };
}
