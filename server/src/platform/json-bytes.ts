/*
 * JSON as bytes: what can be known of a body before an object is made of it. Nothing here checks that it is
 * JSON: what is said of anything else is bounded in time and harmless.
 */

export const BYTE = {
  tab: 0x09,
  lineFeed: 0x0a,
  carriageReturn: 0x0d,
  space: 0x20,
  quote: 0x22,
  comma: 0x2c,
  openList: 0x5b,
  backslash: 0x5c,
  closeList: 0x5d,
  openObject: 0x7b,
  closeObject: 0x7d,
} as const;

/** Whether there are more values than so many: every object, list, text, number and literal counts, no key does. */
export function hasMoreValues(json: Uint8Array, limit: number): boolean {
  // A value takes a byte and a comma or bracket at least: most bodies need no look.
  if (json.length <= 2 * limit) return false;
  let values = 1;
  let justOpened = false;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (isSpace(byte)) continue;
    if (byte === BYTE.quote) at = endOfText(json, at);
    else if (byte === BYTE.comma || isOpening(byte)) values++;
    // The first value of what was opened has been counted, and there is none.
    else if (justOpened && isClosing(byte)) values--;
    justOpened = isOpening(byte);
    if (values > limit + 1) return true;
  }
  return values > limit;
}

/** @returns where the closing quote of a text is, or past the end of the bytes */
export function endOfText(json: Uint8Array, openingQuote: number): number {
  let at = openingQuote + 1;
  while (at < json.length && json[at] !== BYTE.quote) at += json[at] === BYTE.backslash ? 2 : 1;
  return at;
}

/** @returns the first place from here on that is no white space, or the end */
export function skipSpace(json: Uint8Array, from: number): number {
  let at = from;
  while (at < json.length && isSpace(json[at])) at++;
  return at;
}

export function isOpening(byte: number | undefined): boolean {
  return byte === BYTE.openList || byte === BYTE.openObject;
}

export function isClosing(byte: number | undefined): boolean {
  return byte === BYTE.closeList || byte === BYTE.closeObject;
}

/** White space as JSON defines it. */
function isSpace(byte: number | undefined): boolean {
  return byte === BYTE.space || byte === BYTE.lineFeed || byte === BYTE.carriageReturn || byte === BYTE.tab;
}
