export interface MessagePart {
  text: string;
  /** True if it differs between events of a kind: an id, a number, a quoted value. */
  varies: boolean;
}

/** Maximum length of a message, a little more than a row can show. */
const MAX_LENGTH = 300;

/**
 * Quoted values, and words that hold a digit or an `@`: the service leaves them out of a fingerprint, too
 * (normalizeMessage in the server's ingestion/fingerprint.ts).
 */
const VARIABLE = /"[^"]*"|`[^`]*`|(?<!\w)'[^']*'(?!\w)|[\w.:@-]*[\d@][\w.:@-]*/g;

/** Splits a message into constant and variable parts: the reader sees the kind of an event before its details. */
export function messageParts(message: string): MessagePart[] {
  const text = message.slice(0, MAX_LENGTH);
  const parts: MessagePart[] = [];
  let end = 0;
  for (const match of text.matchAll(VARIABLE)) {
    if (match.index > end) parts.push({ text: text.slice(end, match.index), varies: false });
    parts.push({ text: match[0], varies: true });
    end = match.index + match[0].length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), varies: false });
  return parts;
}
