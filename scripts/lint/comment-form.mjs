/*
 * comment-form: a comment names or says something by itself. One that begins with these words is a fragment, whose other
 * half is the name below it: "Of the project." for "UUID of the project.", "Whether it runs." for "True if it runs."
 * `.oxlintrc.json` lists the folders in which the rule holds. description-form: the same for the texts of the API.
 */
const FRAGMENTS = 'of|what|whether|by which|those|that|which|who|whom|whose|where it|as before';
const BEGINS = new RegExp(`^(?:${FRAGMENTS})\\b`, 'i');
/** Descriptions of tags, which follow a name (`@param name of …`). "@returns whether …" is a sentence with its tag. */
const TAG = new RegExp(`^@(?:returns (?!whether\\b)|(?:param|property) \\S+ )(?:${FRAGMENTS})\\b`, 'i');
const DESCRIPTION_BEGINS = new RegExp(`^(?:${FRAGMENTS}|by|how|when|where|why)\\b`, 'i');
const MESSAGE =
  'Begin the comment with a noun phrase ("Maximum …", "True if …", "UUID of …") or with what the function does ("Returns …").';

const DESCRIPTION_MESSAGE = 'Begin the description with a noun phrase or a verb, or write a sentence.';

/** The lines of a comment without their marks. @returns {string[]} */
function linesOf(/** @type {any} */ comment) {
  return comment.value.split('\n').map((/** @type {string} */ line) => line.replace(/^[\s*]+/, '').trim());
}

export const commentForm = {
  meta: { type: 'problem' },
  create(/** @type {any} */ context) {
    return {
      Program() {
        /** @type {any} */
        let previous = null;
        for (const comment of context.sourceCode.getAllComments()) {
          // A comment of several `//` lines begins with its first one.
          const { line, column } = comment.loc.start;
          const goesOn =
            comment.type === 'Line' &&
            previous?.type === 'Line' &&
            previous.loc.start.line === line - 1 &&
            previous.loc.start.column === column &&
            context.sourceCode.lines[line - 1].slice(0, column).trim() === '';
          previous = comment;
          const lines = linesOf(comment);
          const first = lines.find((line) => line !== '') ?? '';
          if ((!goesOn && BEGINS.test(first)) || lines.some((line) => TAG.test(line)))
            context.report({ node: comment, message: MESSAGE });
        }
      },
    };
  },
};

export const descriptionForm = {
  meta: { type: 'problem' },
  create(/** @type {any} */ context) {
    return {
      Property(/** @type {any} */ { key, value }) {
        if (key.name !== 'description' && key.name !== 'summary') return;
        const text = value.type === 'TemplateLiteral' ? value.quasis[0].value.cooked : value.value;
        if (typeof text === 'string' && DESCRIPTION_BEGINS.test(text))
          context.report({ node: value, message: DESCRIPTION_MESSAGE });
      },
    };
  },
};
