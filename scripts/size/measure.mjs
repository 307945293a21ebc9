import { parseSync, Visitor } from 'rolldown/utils';

/** @typedef {import('../imports/read-imports.mjs').Import} Import */

const MAX_FUNCTION_LINES = 70;
const MAX_FILE_LINES = 200;
const IS_COUNTED = /\.(?:tsx?|m?js|sql|css)$/;
const IS_PARSED = /\.(?:tsx?|m?js)$/;
const IS_TEST = /\.test\.tsx?$|(?:^|\/)test\/|(?:^|\/)testing\.ts$/;
/** Excluded from all figures but those of tests: the detector is rebuilt separately. */
const DETECTOR = 'packages/detector/';

/**
 * @typedef {object} Size
 * @property {number} sourceLines
 * @property {number} testLines
 * @property {string[]} longFunctions each with its place and length, longest first
 * @property {string[]} longFiles
 */

/**
 * Measures the repository without the detector.
 * @param {string[]} files tracked ones, from the root
 * @param {(file: string) => string} read
 * @returns {Size}
 */
export function measureSize(files, read) {
  const size = { sourceLines: 0, testLines: 0 };
  /** @type {{ name: string, lines: number }[]} */
  const functions = [];
  /** @type {{ name: string, lines: number }[]} */
  const long = [];
  for (const file of files.filter((name) => IS_COUNTED.test(name))) {
    const text = read(file);
    const lines = text.split('\n').length - 1;
    if (IS_TEST.test(file)) {
      size.testLines += lines;
      continue;
    }
    if (file.startsWith(DETECTOR)) continue;
    size.sourceLines += lines;
    if (lines > MAX_FILE_LINES) long.push({ name: file, lines });
    if (IS_PARSED.test(file)) for (const each of findLongFunctions(file, text)) functions.push(each);
  }
  return { ...size, longFunctions: toList(functions), longFiles: toList(long) };
}

/** @param {{ name: string, lines: number }[]} all */
function toList(all) {
  return all.toSorted((left, right) => right.lines - left.lines).map(({ name, lines }) => `${lines} ${name}`);
}

/** @param {string} file @param {string} text */
function findLongFunctions(file, text) {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file} cannot be read.`, { cause: errors });
  /** @type {{ name: string, lines: number }[]} */
  const found = [];
  const check = (/** @type {{ start: number, end: number }} */ { start, end }) => {
    const lines = text.slice(start, end).split('\n').length;
    if (lines > MAX_FUNCTION_LINES)
      found.push({ name: `${file}:${text.slice(0, start).split('\n').length}`, lines });
  };
  new Visitor({
    FunctionDeclaration: check,
    FunctionExpression: check,
    ArrowFunctionExpression: check,
  }).visit(program);
  return found;
}

/**
 * Finds files that import each other, directly or indirectly, types included: strongly connected components (R. Tarjan, 1972).
 * @param {Pick<Import, 'from' | 'to'>[]} imports
 * @returns {string[][]}
 */
export function findCycles(imports) {
  /** @type {Map<string, string[]>} */
  const targets = new Map();
  for (const { from, to } of imports) targets.set(from, [...(targets.get(from) ?? []), to]);
  /** @type {Map<string, number>} */
  const numbers = new Map();
  /** @type {string[]} */
  const stack = [];
  /** @type {string[][]} */
  const cycles = [];
  /** @param {string} file @returns {number} the lowest number that the file leads to */
  const visit = (file) => {
    const own = numbers.size;
    numbers.set(file, own);
    const depth = stack.push(file) - 1;
    let lowest = own;
    for (const to of targets.get(file) ?? []) {
      const number = numbers.get(to);
      if (number === undefined) lowest = Math.min(lowest, visit(to));
      else if (stack.includes(to)) lowest = Math.min(lowest, number);
    }
    if (lowest < own) return lowest;
    const cycle = stack.splice(depth);
    if (cycle.length > 1) cycles.push(cycle.toSorted());
    return lowest;
  };
  for (const file of targets.keys()) if (!numbers.has(file)) visit(file);
  return cycles;
}
