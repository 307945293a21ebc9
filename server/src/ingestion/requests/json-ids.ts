/** A brace, or a text with the short text that it names; a text that is cut off reaches to the end. */
const TOKEN = /[{}]|"((?:[^"\\]|\\.)*)(?:"|\\?$)(?:\s*:\s*"([^"\\]{1,100})")?/gs;
/** Names of the ids of a request, or of an event in it. */
const IDS = new Set(['event_id', 'id']);
/** Fingerprint of an alert, which stands in a list of the request. */
const FINGERPRINT = /^[\da-f]{16,64}$/;

/**
 * Finds the ids in the beginning of a text of JSON, of its lines, or of the elements of its list. Those of objects within,
 * such as users, are none of the request. The time is linear in the length of the text.
 */
export function findJsonIds(text: string, maxIds: number): string[] {
  const ids: string[] = [];
  let depth = 0;
  for (const { 0: token, 1: name = '', 2: value } of text.matchAll(TOKEN)) {
    if (token === '{') depth++;
    else if (token === '}') depth--;
    else if (value !== undefined && isId(name, value, depth)) ids.push(value);
    if (ids.length === maxIds) break;
  }
  return ids;
}

function isId(name: string, value: string, depth: number): boolean {
  return name === 'fingerprint' ? FINGERPRINT.test(value) : depth === 1 && IDS.has(name);
}
