/*
 * events-apart: SQL names the table of events, or a partition of it, in `server/src/events` alone. Everything else reads by an
 * `EventReader` or by `eventsOn` of a connection of its own, so that old events can be kept by another store. Removal, erasures, the
 * clock of maintenance, the backup and the preview of scrubbing use functions of that folder that are no part of either.
 */

/** Files beside that folder that may name it, each with the reason. @type {Readonly<Record<string, string>>} */
export const EXCEPTIONS = {
  'server/src/processing/store/write-events.ts': 'inserts them, as a part of the storing statement',
  'server/src/groups/keep/new-group-queries.ts':
    'words new groups by events of the batch that the same transaction stores, and carries no payload to the process',
};

const FOLDER = 'server/src/events/';
const NAMES =
  /\b(?:FROM|JOIN|INTO|UPDATE|ONLY|TABLE|USING|LIKE|PARTITION OF|ANALYZE|TRUNCATE|LOCK|COPY)\s+"?events(?:_\d{8})?\b|^\s*events\s+(?:AS|WHERE|ORDER)\b|\bevents_(?:\d{8}\b|$)|\bpublic"?\."?events\b|'events'::regclass/;
/** The table further back in a list: of the tables before it, each may be a function and have an alias. */
const LISTED =
  /\bFROM\s+(?:[\w".]+(?:\([^()]*\))?(?:\s+(?:AS\s+)?\w+)?(?:\s*\([^()]*\))?\s*,\s*)+"?events(?:_\d{8})?\b/;

/** True if a part of an SQL statement names the table. */
export const namesEvents = (/** @type {string} */ sql) => NAMES.test(sql) || LISTED.test(sql);

export const eventsApart = {
  meta: { type: 'problem' },
  create(/** @type {any} */ context) {
    const file = context.filename.replaceAll('\\', '/');
    if (file.includes(FOLDER) || Object.keys(EXCEPTIONS).some((one) => file.endsWith(one))) return {};
    const check = (/** @type {any} */ node, /** @type {unknown} */ text) => {
      if (typeof text === 'string' && namesEvents(text))
        context.report({
          node,
          message: 'Only server/src/events names the table of events: add a read to `EventReads`.',
        });
    };
    return {
      Literal: (/** @type {any} */ node) => check(node, node.value),
      TemplateElement: (/** @type {any} */ node) => check(node, node.value.cooked),
    };
  },
};
