/*
 * Texts of the pages are in the `texts.ts` of their folder, so that an English speaker can read them in one go. This rule
 * refuses a literal text in JSX: between tags, or as an attribute that users read. Symbols (`·`, `×`) are no text.
 */
const MESSAGE = 'Move this text into the `texts.ts` of its folder.';
const READ_ATTRIBUTES = new Set([
  'aria-label',
  'aria-description',
  'alt',
  'title',
  'label',
  'labels',
  'placeholder',
  'hint',
  'end',
]);
/** Attributes that hold a text only on our components, whose names begin with a capital letter. */
const ON_COMPONENTS = new Set(['label', 'labels', 'hint', 'end']);
const LETTERS = /\p{L}{2}/u;

/** @param {any} node @returns {boolean} */
function holdsText(node) {
  if (!node) return false;
  if (node.type === 'Literal') return typeof node.value === 'string' && LETTERS.test(node.value);
  if (node.type === 'TemplateLiteral')
    return node.quasis.some((/** @type {any} */ part) => LETTERS.test(part.value.cooked ?? ''));
  if (node.type === 'ConditionalExpression') return holdsText(node.consequent) || holdsText(node.alternate);
  if (node.type === 'LogicalExpression') return holdsText(node.right);
  return false;
}

export const textsApart = {
  meta: { type: 'problem' },
  create(/** @type {any} */ context) {
    const report = (/** @type {any} */ node) => context.report({ node, message: MESSAGE });
    return {
      JSXText: (/** @type {any} */ node) => LETTERS.test(node.value) && report(node),
      JSXExpressionContainer: (/** @type {any} */ node) => {
        if (node.parent.type !== 'JSXAttribute' && holdsText(node.expression)) report(node);
      },
      JSXAttribute: (/** @type {any} */ node) => {
        const name = node.name.name;
        const isElement = /^[a-z]/.test(node.parent.name.name ?? '');
        if (!READ_ATTRIBUTES.has(name) || (isElement && ON_COMPONENTS.has(name))) return;
        const value = node.value?.type === 'JSXExpressionContainer' ? node.value.expression : node.value;
        if (holdsText(value)) report(node);
      },
    };
  },
};
