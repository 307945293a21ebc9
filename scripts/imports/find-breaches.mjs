import path from 'node:path';
import { ABSENCES, API_TYPES, ORDER, SHARED_WITH_DASHBOARD } from './rules.mjs';

/** @typedef {import('./read-imports.mjs').Import} Import */

/**
 * Returns a sentence for each import that the rules refuse, and for each cycle of files or folders.
 * @param {Import[]} imports @returns {string[]}
 */
export function findBreaches(imports) {
  return [
    ...imports.flatMap((each) => breachesOf(each)),
    ...findFileCircles(imports),
    ...findFolderCircles(imports),
  ];
}

/** @param {Import} each @returns {string[]} */
function breachesOf({ from, to, isOfTypes }) {
  /** @type {string[]} */
  const breaches = [];
  const say = (/** @type {string} */ sentence) => void breaches.push(`${from} imports ${to}: ${sentence}`);
  for (const absence of ABSENCES) if (isRefused(absence, from, to)) say(absence.sentence);
  if (/(?:^|[/-])routes\.ts$/.test(to) && !from.startsWith('server/src/roles/')) {
    say('Only roles put routes together.');
  }
  if (/\.test\.tsx?$|(?:^|\/)testing\.ts$/.test(to)) say('No source knows what is only for tests.');
  if (SHARED_WITH_DASHBOARD.includes(from) && !isOfTypes) {
    say('A file that the dashboard shares as code imports types alone.');
  }
  if (from.startsWith('dashboard/src/') && !to.startsWith('dashboard/src/') && !/^(?:npm|node):/.test(to)) {
    const isType = from === API_TYPES && to.startsWith('server/src/') && isOfTypes;
    if (!isType && !SHARED_WITH_DASHBOARD.includes(to)) {
      say(`The dashboard takes types alone from the server, through ${path.posix.basename(API_TYPES)}.`);
    }
    return breaches;
  }
  if (/^(?:npm|node):/.test(to)) return breaches;
  if (!placeOf(from)) return [...breaches, `${from} has no place in the order of scripts/imports/rules.mjs.`];
  const upward = upwardArrowOf({ from, to });
  if (upward) say(`${upward.from} may not know ${upward.to}, which does not stand below it.`);
  return breaches;
}

/**
 * Returns the two places of an import that does not lead down the order. The dashboard stands beside the server, of which it imports
 * only types and shared files.
 * @param {Pick<Import, 'from' | 'to'>} each @returns {{ from: string, to: string } | null}
 */
export function upwardArrowOf({ from, to }) {
  const [own, other] = [placeOf(from), placeOf(to)];
  if (from.startsWith('dashboard/') && !to.startsWith('dashboard/')) return null;
  if (!own || !other || own.node === other.node || other.level > own.level) return null;
  return { from: own.node, to: other.node };
}

/** @param {import('./rules.mjs').Absence} absence @param {string} from @param {string} to */
function isRefused({ from: froms, to: tos, except = [], exceptFrom = [] }, from, to) {
  const begins = (/** @type {string} */ text, /** @type {string[]} */ prefixes) =>
    prefixes.some((prefix) => text.startsWith(prefix));
  return begins(from, froms) && !begins(from, exceptFrom) && begins(to, tos) && !begins(to, except);
}

const NODES = ORDER.flatMap((nodes, level) =>
  nodes.map((node) => ({
    level,
    pattern: new RegExp(`^${node.split('*').map(escape).join('[^/]+')}`),
  })),
);

/** @param {string} text */
function escape(text) {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

/**
 * Returns the place of a file in the order, by its longest prefix.
 * @param {string} file @returns {{ node: string, level: number } | null}
 */
function placeOf(file) {
  let place = null;
  for (const { pattern, level } of NODES) {
    const [node = ''] = pattern.exec(file) ?? [];
    if (node.length > (place?.node.length ?? 0)) place = { node, level };
  }
  return place;
}

/** Finds files that import each other, directly or indirectly, types included. @param {Import[]} imports @returns {string[]} */
function findFileCircles(imports) {
  return findCircles(imports, (file) => file).map((circle) => `A circle of files: ${circle}.`);
}

/**
 * Folders that import each other, by however many others, types included. Within each folder, the files directly in it are
 * one node of the graph and each folder in it another, so a folder and its subfolder import in one direction only. A file
 * that the order names is left out: the order itself says what may import it.
 * @param {Import[]} imports @returns {string[]}
 */
function findFolderCircles(imports) {
  /** @type {Map<string, Import[]>} */
  const importsWithin = new Map();
  for (const each of imports) {
    if (/^(?:npm|node):/.test(each.to) || ORDERED_FILES.has(each.from) || ORDERED_FILES.has(each.to))
      continue;
    const folder = commonFolder(each.from, each.to);
    importsWithin.set(folder, [...(importsWithin.get(folder) ?? []), each]);
  }
  return [...importsWithin].flatMap(([folder, within]) => {
    const nodeOf = (/** @type {string} */ file) => {
      const [node = '', ...rest] = path.posix.relative(folder, file).split('/');
      return rest.length === 0 ? '' : node;
    };
    return findCircles(within, nodeOf).map((circle) => `A circle of folders: ${circle}.`);
  });
}

const ORDERED_FILES = new Set(ORDER.flat().filter((node) => !node.endsWith('/')));

/** The lowest folder that holds both files. @param {string} one @param {string} other */
function commonFolder(one, other) {
  let folder = path.posix.dirname(one);
  while (folder !== '.' && !other.startsWith(`${folder}/`)) folder = path.posix.dirname(folder);
  return folder;
}

/**
 * Returns the imports of each cycle.
 * @param {Import[]} imports @param {(file: string) => string} nodeOf the node of the graph that a file belongs to
 * @returns {string[]}
 */
function findCircles(imports, nodeOf) {
  /** @type {Map<string, Map<string, Import>>} */
  const edges = new Map();
  for (const each of imports) {
    const [from, to] = [nodeOf(each.from), nodeOf(each.to)];
    if (/^(?:npm|node):/.test(each.to) || from === to) continue;
    edges.set(from, (edges.get(from) ?? new Map()).set(to, each));
  }
  const circles = [];
  const seen = new Set();
  for (const start of edges.keys()) {
    if (seen.has(start)) continue;
    const circle = circleThrough(start, edges);
    if (!circle) continue;
    for (const { from } of circle) seen.add(nodeOf(from));
    circles.push(circle.map(({ from, to }) => `${from} imports ${to}`).join(', '));
  }
  return circles;
}

/**
 * Returns the shortest path from a node back to itself.
 * @param {string} start @param {Map<string, Map<string, Import>>} edges @returns {Import[] | null}
 */
function circleThrough(start, edges) {
  /** @type {Map<string, Import[]>} */
  const ways = new Map([[start, []]]);
  for (const [node, way] of ways) {
    for (const [next, each] of edges.get(node) ?? []) {
      if (next === start) return [...way, each];
      if (!ways.has(next)) ways.set(next, [...way, each]);
    }
  }
  return null;
}
