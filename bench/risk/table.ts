import type { PrintedTable } from './notes.ts';

/** All tables that this process has printed. */
export const printedTables: PrintedTable[] = [];

/** Prints a Markdown table, as packages/detector/LAB.md holds it. */
export function printTable(title: string, head: string[], rows: (string | number)[][]): void {
  const cells = [head, ...rows.map((row) => row.map(String))];
  const widths = head.map((_, column) =>
    cells.reduce((widest, row) => Math.max(widest, row[column]?.length ?? 0), 0),
  );
  const toLine = (row: string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  console.log(`\n### ${title}\n`);
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`;
  const lines = [toLine(head), rule, ...cells.slice(1).map(toLine)];
  for (const line of lines) console.log(line);
  printedTables.push({ title, lines });
}
