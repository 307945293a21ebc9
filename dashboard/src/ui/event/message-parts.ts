export interface MessagePart {
  text: string;
  /** Whether it differs from one event of a kind to the next: an id, a number, a quoted value. */
  varies: boolean;
}

/** As much of a message as a row can show, and a bit. */
const MAX_LENGTH = 300;

/**
 * Quoted values, and words that hold a digit or an `@`: the service leaves them out of a fingerprint, too
 * (normalizeMessage in the server's ingestion/fingerprint.ts).
 */
const VARIABLE = /"[^"]*"|`[^`]*`|(?<!\w)'[^']*'(?!\w)|[\w.:@-]*[\d@][\w.:@-]*/g;

/** A message in parts, so that a reader can see the kind of an event before its details. */
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
