import { commentForm, descriptionForm } from './comment-form.mjs';
import { eventsApart } from './events-apart.mjs';
import { plainTexts } from './plain-texts.mjs';
import { testTitle } from './test-title.mjs';
import { textsApart } from './texts.mjs';
import { typeName } from './type-name.mjs';

/*
 * Rules of this repository that no linter has built in.
 *
 * no-unbounded-spread: a spread in a call puts every element onto the stack, and V8 throws a RangeError from about
 * 120,000 of them. Literal arrays and rest parameters may be spread; any other array needs a comment with its bound:
 *   // oxlint-disable-next-line tocsin/no-unbounded-spread -- at most MAX_RULES
 */
const MESSAGE =
  'Each element of the spread is put onto the stack, and a long array ends in a RangeError: use a loop or a reduce, or state the bound in a disabling comment.';

/** @param {any} node @returns {boolean} */
function isBounded(node) {
  if (node.type === 'ArrayExpression') {
    return node.elements.every(
      (/** @type {any} */ element) => element?.type !== 'SpreadElement' || isBounded(element.argument),
    );
  }
  return node.type === 'Identifier' && isRestParameter(node);
}

/** Returns true if the innermost function that declares a parameter of this name collects it with `...`. */
function isRestParameter(/** @type {any} */ identifier) {
  for (let node = identifier.parent; node; node = node.parent) {
    const last = node.params?.at?.(-1);
    const rest = last?.type === 'RestElement' ? last : last?.parameter;
    if (rest?.type === 'RestElement' && rest.argument.name === identifier.name) return true;
  }
  return false;
}

const noUnboundedSpread = {
  meta: { type: 'problem' },
  create(/** @type {any} */ context) {
    const check = (/** @type {any} */ call) => {
      for (const argument of call.arguments) {
        if (argument.type === 'SpreadElement' && !isBounded(argument.argument))
          context.report({ node: argument, message: MESSAGE });
      }
    };
    return { CallExpression: check, NewExpression: check };
  },
};

export default {
  meta: { name: 'tocsin' },
  rules: {
    'comment-form': commentForm,
    'description-form': descriptionForm,
    'events-apart': eventsApart,
    'no-unbounded-spread': noUnboundedSpread,
    'plain-texts': plainTexts,
    'test-title': testTitle,
    'texts-apart': textsApart,
    'type-name': typeName,
  },
};
