import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'rolldown/utils';

/**
 * An import by one file of the repository, of another (its path from the root) or of a package: `npm:pg`,
 * `node:fs`.
 * @typedef {{ from: string, to: string, isOfTypes: boolean }} Import `isOfTypes`: true if nothing of it exists at run time
 */

/** Folders whose imports are read; tests and their support may import anything. */
const AREAS = ['packages', 'server/src', 'dashboard/src', 'sdk/src'];
const IS_SOURCE = /\.(?:ts|tsx)$/;
const IS_FOR_TESTS = /\.test\.tsx?$|(?:^|\/)testing\.ts$|\.config\.ts$/;
const IS_LEFT_OUT = /(?:^|\/)(?:node_modules|dist|test)(?:\/|$)/;

/** @param {string} root @returns {string[]} paths from the root */
function listSources(root) {
  return AREAS.flatMap((area) =>
    readdirSync(path.join(root, area), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
      .filter((file) => IS_SOURCE.test(file) && !IS_FOR_TESTS.test(file) && !IS_LEFT_OUT.test(file)),
  );
}

/** @param {string} root @returns {Import[]} */
export function readAllImports(root) {
  return listSources(root).flatMap((file) => readImports(file, readFileSync(path.join(root, file), 'utf8')));
}

/**
 * Reads everything that a file takes from others: imports, re-exports, dynamic imports, types by `import(…)`, and
 * files that are named beside it by `new URL(…)`. A type counts like code.
 * @param {string} file @param {string} text @returns {Import[]}
 */
export function readImports(file, text) {
  const { module, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file} cannot be read.`, { cause: errors });
  /** @type {Map<string, boolean>} */
  const specifiers = new Map();
  const add = (/** @type {string | undefined} */ specifier, /** @type {number | null} */ start = null) => {
    if (specifier === undefined) return;
    const isOfTypes = start !== null && /^(?:import|export) type\b/.test(text.slice(start, start + 20));
    specifiers.set(specifier, isOfTypes && (specifiers.get(specifier) ?? true));
  };
  for (const { moduleRequest, start } of module.staticImports) add(moduleRequest.value, start);
  for (const { entries, start } of module.staticExports) {
    for (const { moduleRequest } of entries) add(moduleRequest?.value, start);
  }
  for (const [, specifier] of text.matchAll(/\bimport\(\s*['"`]([^'"`]+)['"`]/g)) add(specifier);
  for (const [, specifier] of text.matchAll(/new URL\(\s*['"`](\.[^'"`]+\.tsx?)['"`]/g)) add(specifier);
  return [...specifiers].map(([specifier, isOfTypes]) => ({
    from: file,
    to: targetOf(file, specifier),
    isOfTypes,
  }));
}

/** @param {string} file @param {string} specifier */
function targetOf(file, specifier) {
  if (specifier.startsWith('.')) return path.posix.join(path.posix.dirname(file), specifier);
  const [, own, entry = 'index'] = /^@tocsin\/([^/]+)(?:\/(.+))?$/.exec(specifier) ?? [];
  if (own) return `${own === 'sdk' ? 'sdk' : `packages/${own}`}/src/${entry}.ts`;
  if (specifier.startsWith('node:')) return specifier;
  return `npm:${/^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0]}`;
}
