/** A printed table: its title, and its lines of Markdown, the head first. */
export interface PrintedTable {
  title: string;
  lines: string[];
}

/**
 * Puts tables into notes, each in place of the one with the same head. A head that several tables share names no place.
 *
 * @returns the notes, and the titles of the tables without a place
 */
export function replaceTables(
  notes: string,
  tables: readonly PrintedTable[],
): { notes: string; withoutPlace: string[] } {
  const lines = notes.split('\n');
  const withoutPlace: string[] = [];
  for (const { title, lines: table } of tables) {
    const head = toKey(table[0]);
    const places = lines.flatMap((line, index) => (toKey(line) === head ? [index] : []));
    const [place] = places;
    const isShared = tables.filter((other) => toKey(other.lines[0]) === head).length > 1;
    if (place === undefined || places.length > 1 || isShared) {
      withoutPlace.push(title);
      continue;
    }
    const length = lines.slice(place).findIndex((line) => !line.startsWith('|'));
    lines.splice(place, length === -1 ? lines.length - place : length, ...table);
  }
  return { notes: lines.join('\n'), withoutPlace };
}

/** A head without the padding of its cells. */
function toKey(line = ''): string {
  return line.replaceAll(/ *\| */g, '|');
}
