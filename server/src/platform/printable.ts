/** C0 without tab and line feed, DEL, and C1 (ECMA-48): characters that a terminal interprets as commands. */
const CONTROLS = /(?![\t\n])\p{Cc}/gu;

/**
 * Makes a text safe to print on a terminal. Text of a server or a file could otherwise set the title, clear the
 * screen or write over the previous line.
 * @returns the text with control characters as `\xNN`; tabs and line feeds stay
 */
export function printable(text: string): string {
  return text.replace(CONTROLS, (control) => `\\x${control.charCodeAt(0).toString(16).padStart(2, '0')}`);
}
