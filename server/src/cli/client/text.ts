import { printable } from '../../platform/printable.ts';

/**
 * Characters that change the direction of writing or hide text (UAX #9), and line separators. Joiners stay: scripts
 * and emoji need them.
 */
const INVISIBLE = /[\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u2069\ufeff]/gu;
/** DEL, C1 and the above: JSON leaves them as they are, and a terminal interprets some as commands. */
const UNSAFE_IN_JSON =
  /[\u007f-\u009f\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u2069\ufeff]/gu;

/** Formats a value from the server on one line, without any command to a terminal. */
export function toLine(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return printable(text.replace(/[\t\n]+/g, ' ')).replace(INVISIBLE, escapeCharacter);
}

/** The same with line feeds and tabs. */
export function toLines(value: string): string[] {
  return value.split('\n').map((line) => toLine(line));
}

/** Formats one line of JSON that a terminal shows as it is: the same value to every parser. */
export function toSafeJson(value: unknown): string {
  return JSON.stringify(value).replace(UNSAFE_IN_JSON, escapeCharacter);
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

const SEGMENTER = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** East Asian wide and fullwidth characters (UAX #11, by blocks), and emoji that are shown as pictures. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;

/** Number of columns on a terminal. Some terminals differ in rare emoji: then a line is a little short or long. */
export function displayWidth(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let width = 0;
  for (const { segment } of SEGMENTER.segment(text)) width += WIDE.test(segment) ? 2 : 1;
  return width;
}

/** Cuts a text to at most so many columns, with `…` if something is left out. */
export function cut(text: string, columns: number): string {
  // Twice as many code units as columns hold every plain text; a grapheme of thousands of marks is cut.
  const bounded = Number.isFinite(columns) ? text.slice(0, columns * 4 + 4) : text;
  if (bounded.length === text.length && displayWidth(text) <= columns) return text;
  let [kept, width] = ['', 0];
  for (const { segment } of SEGMENTER.segment(bounded)) {
    const more = WIDE.test(segment) ? 2 : 1;
    if (width + more > columns - 1) break;
    kept += segment;
    width += more;
  }
  return `${kept}…`;
}

export function padEnd(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - displayWidth(text)));
}
