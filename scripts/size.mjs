import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { upwardArrowOf } from './imports/find-breaches.mjs';
import { readAllImports } from './imports/read-imports.mjs';
import { ROOT } from './install.mjs';
import { findCycles, measureSize } from './size/measure.mjs';

/* Prints the size of the repository, each figure beside its target. `-- --list` also names the files and functions that are too long. */
const { values: options } = parseArgs({ options: { list: { type: 'boolean', default: false } } });

const files = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' })
  .split('\n')
  .filter((file) => file !== '' && existsSync(path.join(ROOT, file)));
const size = measureSize(files, (file) => readFileSync(path.join(ROOT, file), 'utf8'));
const imports = readAllImports(ROOT);
const cycles = findCycles(imports).map((cycle) => cycle.join(', '));
const upward = imports.flatMap((each) => upwardArrowOf(each) ?? []).map(({ from, to }) => `${from} to ${to}`);

/** @type {[name: string, value: number, target: number, list: string[]][]} */
const figures = [
  ['Lines of source, without the detector', size.sourceLines, 80_000, []],
  ['Lines of tests', size.testLines, 48_000, []],
  ['Functions over 70 lines, without the detector', size.longFunctions.length, 15, size.longFunctions],
  ['Files over 200 lines, without the detector', size.longFiles.length, 20, size.longFiles],
  ['Cycles of files, types included', cycles.length, 0, cycles],
  ['Arrows upward in the order of scripts/imports/rules.mjs', new Set(upward).size, 0, [...new Set(upward)]],
];
for (const [name, value, target, list] of figures) {
  console.log(
    `${name.padEnd(56)}${value.toLocaleString('en').padStart(8)}   target ${target.toLocaleString('en')}`,
  );
  if (options.list) for (const line of list) console.log(`    ${line}`);
}
