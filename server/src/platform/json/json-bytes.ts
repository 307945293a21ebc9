/*
 * JSON as bytes: facts about a body before an object is made of it. Nothing here validates that it is JSON: for
 * anything else the result is computed in bounded time and harmless.
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

/** True if there are more values than the limit: every object, list, text, number and literal counts, no key does. */
export function hasMoreValues(json: Uint8Array, limit: number): boolean {
  // A value takes a byte and a comma or bracket at least: most bodies need no scan.
  if (json.length <= 2 * limit) return false;
  let values = 1;
  let justOpened = false;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (isSpace(byte)) continue;
    if (byte === BYTE.quote) at = endOfText(json, at);
    else if (byte === BYTE.comma || isOpening(byte)) values++;
    // The first value of the opened object or list was counted, and there is none.
    else if (justOpened && isClosing(byte)) values--;
    justOpened = isOpening(byte);
    if (values > limit + 1) return true;
  }
  return values > limit;
}

/** @returns the index of a text's closing quote, or the end of the bytes */
export function endOfText(json: Uint8Array, openingQuote: number): number {
  let at = openingQuote + 1;
  while (at < json.length && json[at] !== BYTE.quote) at += json[at] === BYTE.backslash ? 2 : 1;
  return at;
}

/** @returns the first index from here on that is not white space, or the end */
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
