/** Converts a sentence of the service, which marks names as code, to plain text: `shop` becomes “shop”. */
export function toPlainText(text: string): string {
  return text.replaceAll(/`([^`]*)`/g, '“$1”').replaceAll(/[^\P{Cc}\n\t]|\p{Bidi_Control}/gu, ' ');
}

/** As above, on one line. */
export function toLine(text: string): string {
  return toPlainText(text).replaceAll(/\s+/g, ' ').trim();
}
