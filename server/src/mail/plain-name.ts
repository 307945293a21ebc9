const MAX_NAME_CHARACTERS = 80;

/** A name that users chose, on one line, short, and without anything that a mail program would turn into a link. */
export function plainName(name: string): string {
  const line = name.replaceAll(/[\p{C}\p{Z}]+/gu, ' ').trim();
  const characters = Array.from(line);
  const short =
    characters.length > MAX_NAME_CHARACTERS
      ? `${characters.slice(0, MAX_NAME_CHARACTERS - 1).join('')}…`
      : line;
  return short.replaceAll(/[.:/@](?=\S)/g, '$& ');
}
