/** C0 without tab and line feed, DEL, and C1 (ECMA-48): what a terminal takes as commands. */
const CONTROLS = /(?![\t\n])\p{Cc}/gu;

/**
 * A text as it may be printed on a terminal. What a server or a file says could otherwise set the title,
 * clear the screen or write over the line before.
 * @returns the text with control characters as `\xNN`; tabs and line feeds stay
 */
export function printable(text: string): string {
  return text.replace(CONTROLS, (control) => `\\x${control.charCodeAt(0).toString(16).padStart(2, '0')}`);
}
