import type { ClipboardEvent } from 'react';
import type { ListedEvent } from '../listed-event.ts';

/**
 * Copies a selection over several rows as a table: one line an event, its values between tabs, the time as ISO 8601. A
 * selection within a row is copied as the text that it is.
 */
export function copyRows(event: ClipboardEvent<HTMLElement>, rows: ListedEvent[]): void {
  const selection = getSelection();
  if (!selection || selection.isCollapsed) return;
  const chosen = new Set<string>();
  for (const row of event.currentTarget.querySelectorAll<HTMLElement>('[data-event]')) {
    const id = row.dataset['event'];
    if (id !== undefined && selection.containsNode(row, true)) chosen.add(id);
  }
  if (chosen.size < 2) return;
  event.preventDefault();
  event.clipboardData.setData('text/plain', toTable(rows.filter(({ id }) => chosen.has(id))));
}

/** Values that a spreadsheet would evaluate as formulas; the same as in the service's export. */
const FORMULA = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/;

/** Returns the rows as tab-separated values for a spreadsheet, without the line breaks that would end a value. */
export function toTable(rows: ListedEvent[]): string {
  return rows
    .map(({ capturedAt, severity, type, source, correlationId, fingerprint, message }) =>
      [capturedAt, severity, type, source ?? '', correlationId === fingerprint ? '' : correlationId, message]
        .map((value) => value.replaceAll(/[\t\r\n]+/g, ' '))
        .map((value) => (FORMULA.test(value) ? `'${value}` : value))
        .join('\t'),
    )
    .join('\n');
}
