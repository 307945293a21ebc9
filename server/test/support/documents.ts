import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

export const DOCUMENTS = [
  'README.md',
  'CHANGELOG.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...pagesOf('docs'),
  'bench/LAB.md',
  'examples/express/README.md',
  'packages/detector/LAB.md',
  'packages/detector/README.md',
  'packages/detector/REFERENCES.md',
  'packages/embedded-postgres/README.md',
  'packages/simulation/README.md',
  'sdk/README.md',
];

/** Lists the Markdown pages of a folder and of those below it. */
function pagesOf(folder: string): string[] {
  const files = readdirSync(path.join(ROOT, folder), { encoding: 'utf8', recursive: true });
  return files
    .filter((file) => file.endsWith('.md'))
    .map((file) => path.posix.join(folder, file.replaceAll(path.sep, '/')))
    .toSorted();
}

export function readText(document: string): Promise<string> {
  return readFile(path.join(ROOT, document), 'utf8');
}

/** Returns the rows of the table with this head, cell by cell. */
export function tableRows(text: string, head: string): string[][] {
  const lines = text.split('\n').map(toCells);
  const start = lines.findIndex((cells) => cells.join(' | ') === head);
  if (start === -1) throw new Error(`There is no table with the head ${head}.`);
  const rows = lines.slice(start + 2);
  const length = rows.findIndex((cells) => cells.length === 0);
  return length === -1 ? rows : rows.slice(0, length);
}

/** Returns the cells of a table's line; none for other lines. */
function toCells(line: string): string[] {
  if (!line.startsWith('|')) return [];
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}
