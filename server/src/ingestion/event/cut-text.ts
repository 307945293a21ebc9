/** Shortens a text to a length in UTF-16 units, with an ellipsis at its end; no pair of surrogates is split. */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  return maxLength <= 0 ? '' : `${text.slice(0, maxLength - 1).toWellFormed()}…`;
}

/** Returns a text that PostgreSQL can store: NUL characters and lone surrogates become replacement characters. */
export function toStorable(text: string): string {
  return (text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text).toWellFormed();
}
