import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { transformSync } from 'rolldown/utils';

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
