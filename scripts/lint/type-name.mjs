/*
 * type-name: a type, interface or class is named by a noun, not by a bare participle: `GroupCounts` for `Counted`,
 * `HeldMinutes` for `Held`. A participle before a noun is fine.
 */
const IRREGULAR =
  'Begun|Built|Chosen|Done|Drawn|Found|Given|Gone|Heard|Held|Hidden|Kept|Known|Left|Lost|Made|Met|Read|Seen|Sent|Shown|Spent|Taken|Thrown|Told|Unknown|Written';
const PARTICIPLE = new RegExp(`^(?:[A-Z][a-z]+(?<!e)ed|${IRREGULAR})$`);

export const typeName = {
  meta: { type: 'problem' },
  create(/** @type {any} */ context) {
    const check = (/** @type {any} */ { id }) => {
      if (id && PARTICIPLE.test(id.name))
        context.report({ node: id, message: 'Name the type by a noun: `CountedEvent`, not `Counted`.' });
    };
    return { TSInterfaceDeclaration: check, TSTypeAliasDeclaration: check, ClassDeclaration: check };
  },
};
