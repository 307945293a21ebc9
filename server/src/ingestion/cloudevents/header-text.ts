const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Returns the text of a header of the binary mode. By the specification it has percent-encoded characters beyond ASCII,
 * and maybe quotes around it; some senders write the characters as they are, in UTF-8 or in Latin-1, as which Node reads
 * a header.
 */
export function readHeaderText(header: string): string {
  const [, quoted] = /^"((?:[^"\\]|\\.)*)"$/.exec(header) ?? [];
  const text = decodeUtf8(quoted?.replaceAll(/\\(.)/g, '$1') ?? header);
  try {
    return decodeURIComponent(text);
  } catch {
    // A percent sign that stands for itself.
    return text;
  }
}

function decodeUtf8(latin1: string): string {
  try {
    return utf8.decode(Buffer.from(latin1, 'latin1'));
  } catch {
    return latin1;
  }
}
