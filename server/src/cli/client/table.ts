import { cut, displayWidth, padEnd } from './text.ts';

export interface Column<Row> {
  title: string;
  value: (row: Row) => string;
  /** True for the one column that is cut if the line is too long. */
  isFlexible?: boolean;
}

const GAP = '  ';
const MIN_FLEXIBLE_WIDTH = 20;
/**
 * Maximum width of the other columns, so that one long value does not push them away. The flexible one takes the
 * rest.
 */
const MAX_WIDTH = 32;

/**
 * Formats rows under titles, in lines that fit the terminal: the flexible column shrinks, down to 20 columns.
 * @param width width of a line; Infinity for a pipe, in which nothing is cut
 */
export function formatTable<Row>(columns: Column<Row>[], rows: Row[], width: number): string[] {
  const cells = [
    columns.map(({ title }) => title),
    ...rows.map((row) => columns.map(({ value }) => value(row))),
  ];
  const isCut = Number.isFinite(width);
  const widths = columns.map(({ isFlexible }, index) => {
    let widest = 0;
    for (const row of cells) widest = Math.max(widest, displayWidth(row[index] ?? ''));
    return isCut && !isFlexible ? Math.min(widest, MAX_WIDTH) : widest;
  });
  const flexible = columns.findIndex(({ isFlexible }) => isFlexible);
  if (isCut && flexible !== -1) {
    const others = widths.reduce((sum, each, index) => sum + (index === flexible ? 0 : each + GAP.length), 0);
    widths[flexible] = Math.min(widths[flexible] ?? 0, Math.max(MIN_FLEXIBLE_WIDTH, width - others));
  }
  return cells.map((row) =>
    row
      .map((cell, index) => padEnd(cut(cell, widths[index] ?? 0), widths[index] ?? 0))
      .join(GAP)
      .trimEnd(),
  );
}
