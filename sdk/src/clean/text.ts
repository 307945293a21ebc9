/**
 * Returns a text that the server accepts: without NUL characters, lone surrogates replaced, cut after `maxLength`
 * characters (code points). The cost depends only on the part that is kept, however long the text.
 */
export function cleanText(text: string, maxLength: number): string {
  if (text.length <= maxLength && !SUSPECT.test(text)) return text;
  // A character takes at most two code units.
  const candidate = text.length > maxLength * 2 ? text.slice(0, maxLength * 2) : text;
  const clean = candidate.replaceAll('\0', '').replace(LONE_SURROGATES, '\ufffd');
  return clean.length > maxLength ? Array.from(clean).slice(0, maxLength).join('') : clean;
}

/** Characters that may need cleaning; most texts have none, and are not copied. */
const SUSPECT = /[\0\ud800-\udfff]/;

/** With the `u` flag a surrogate pair is one character, so that only lone ones match. */
const LONE_SURROGATES = /\p{Surrogate}/gu;

/** Returns one line for the console, whatever the text holds. */
export function oneLine(text: string): string {
  return cleanText(text, Number.POSITIVE_INFINITY).replace(LINE_BREAKERS, ' ').trim();
}

const LINE_BREAKERS = /[\p{Control}\u2028\u2029]+/gu;
