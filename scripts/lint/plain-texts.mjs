/*
 * plain-texts: forms that a native writer would not choose, each with the form wanted. `.oxlintrc.json` lists the files: those
 * of the pages' texts, of the sentences and titles of incidents, and of the service's messages. The API's errors and
 * descriptions are not among them.
 */

/** Forms as a reader sees them: `…` stands for a value. @type {[form: RegExp, wanted: string][]} */
const FORMS = [
  [/\bwhat (?:is|are|was|were|became)\b(?!.*\?)/i, 'a noun: “Choose environments”, not “what is watched”'],
  [/^(?:what|whether|of|those|that(?! (?:is|was)\b)|by which)\b(?!.*\?)/i, 'a noun phrase or a sentence'],
  [/\b(?:that|which) (?:is|are|was|were) \w+ed\b/i, 'the participle alone: “stored events”'],
  [/\bso that\b|\bin order to\b/i, '“to …”, or a sentence of its own'],
  [/\ballows? to\b|\bpossible to\b/i, '“can …”, “lets you …”'],
  [/\bthere (?:is|are) no\b/i, '“No …”'],
  [
    /\b(?:could|can|do|does|did|was|were|has|have|had|will|would) not\b|\bcannot\b|\w (?:is|are) not \w/i,
    '“isn’t”, “can’t”',
  ],
  [/\b(?:it is|they are|you are|(?:you|we|they) (?:will|have))\b/i, '“it’s”, “you’ll”'],
  [
    /\b(?:addresses|clients|counts|errors|events|exporters|keys|messages|names|pages|pings|senders|settings|texts) of\b/i,
    'the noun first, or “in”, “from”, “for”: “job pings”, “events from …”',
  ],
  [
    /[\p{L}’”]: (?:an?|if|it|its|nothing|only|that|the|then|there|they|this|we|you)\b/iu,
    'a sentence of its own',
  ],
  [/\bleave (?:it|this) empty\b|\bempty:/i, '“Leave empty to …”'],
  [/\bmail(?:s|ed|ing(?! list))?\b|\be-mail/i, '“email”'],
  [/\bswitch(?:ed|es|ing)? (?:\S+ )?o(?:n|ff)\b/i, '“turn on”, “turn off”'],
  [/ (?:OWNER|MEMBER)S?\b|\b(?:OWNER|MEMBER)S? /, '“owner”, “member”'],
  [
    /\bfurther\b|\bformer (?!member)|\bbeside\b|\bfor ever\b|\banew\b/i,
    '“more”, “previous”, “next to”, “forever”, “again”',
  ],
  [/\bplease\b|\bsorry\b|\bsuccessfully\b|\p{L}!/iu, 'nothing'],
  [/\p{L}'\p{L}|\.\.\./u, 'the typographic form: ’ and …'],
];

/** @returns {string} */
function textOf(/** @type {any} */ node) {
  return node.type === 'Literal'
    ? node.value
    : node.quasis.map((/** @type {any} */ part) => part.value.cooked).join('…');
}

export const plainTexts = {
  meta: { type: 'problem' },
  create(/** @type {any} */ context) {
    const check = (/** @type {any} */ node) => {
      if (node.type === 'Literal' && typeof node.value !== 'string') return;
      const text = textOf(node);
      for (const [form, wanted] of FORMS) {
        const found = form.exec(text);
        if (found) context.report({ node, message: `“${found[0]}”: write ${wanted}.` });
      }
    };
    return {
      Literal: (/** @type {any} */ node) => {
        if (!/^(?:Import|Export)/.test(node.parent.type)) check(node);
      },
      TemplateLiteral: check,
    };
  },
};
