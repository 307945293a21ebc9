/*
 * test-title: the title of a test is a sentence by itself, since failures, editors and `-t` show it without its parents.
 * A title that begins with one of these words continues the title of its `describe`; one that begins with a capital letter
 * begins with a subject.
 */
const CONTINUATIONS = new Set(
  `is are was were has have had may might would could of that with in on for at by and or but as to from when where if
  what who which nothing none no only not even also its it their then`.split(/\s+/),
);
const MIN_WORDS = 3;
const MESSAGE =
  'Begin the title with what the program does ("refuses a key that was revoked"): it is read without its describe.';

/** Returns the title; null if it is not a literal. */
function titleOf(/** @type {any} */ node) {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node?.type === 'TemplateLiteral') return node.quasis[0]?.value.cooked ?? null;
  return null;
}

/** Returns true for `it(…)`, `it.only(…)`, `it.each(…)(…)`. */
function isTest(/** @type {any} */ callee) {
  let node = callee;
  while (node?.type === 'MemberExpression' || node?.type === 'CallExpression') {
    node = node.type === 'MemberExpression' ? node.object : node.callee;
  }
  return node?.type === 'Identifier' && (node.name === 'it' || node.name === 'test');
}

export const testTitle = {
  meta: { type: 'problem' },
  create(/** @type {any} */ context) {
    return {
      CallExpression(/** @type {any} */ call) {
        const title = titleOf(call.arguments[0]);
        if (title === null || !isTest(call.callee) || !/function/i.test(call.arguments[1]?.type ?? ''))
          return;
        const words = title.trim().split(/\s+/);
        const isWhole = call.arguments[0].type !== 'Literal' || words.length >= MIN_WORDS;
        if (!isWhole || CONTINUATIONS.has(words[0] ?? '') || /^\p{Lu}/u.test(title)) {
          context.report({ node: call.arguments[0], message: MESSAGE });
        }
      },
    };
  },
};
