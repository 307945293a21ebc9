import type { Event } from '../schema.ts';

export type ExportFormat = 'csv' | 'ndjson';

const COLUMNS = [
  'capturedAt',
  'receivedAt',
  'severity',
  'type',
  'source',
  'message',
  'release',
  'environment',
  'correlationId',
  'fingerprint',
  'id',
  'projectId',
  'correlation',
  'payload',
  'changed',
  'amount',
  'scrubbed',
  'weight',
] as const satisfies (keyof Event)[];

/**
 * Beginnings that a spreadsheet evaluates as a formula, which an application's user may have written; the full-width
 * forms apply in East Asian locales (OWASP, CSV Injection).
 */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/** Format of events in a file. */
interface EventWriter {
  mediaType: string;
  /** Text before the first event. */
  head: string;
  lineOf: (event: Event) => string;
  /** Text after the last event, if there are more. @param cursor cursor with which another export continues */
  truncationOf: (cursor: string) => string;
}

export const WRITERS: Record<ExportFormat, EventWriter> = {
  // RFC 4180
  csv: {
    mediaType: 'text/csv; charset=utf-8',
    head: toCsvLine([...COLUMNS]),
    lineOf: (event) => toCsvLine(COLUMNS.map((column) => toCell(event, column))),
    truncationOf: (cursor) => toCsvLine(['truncated', `cursor=${cursor}`]),
  },
  ndjson: {
    mediaType: 'application/x-ndjson; charset=utf-8',
    head: '',
    lineOf: (event) => `${JSON.stringify(event)}\n`,
    truncationOf: (cursor) => `${JSON.stringify({ truncated: true, cursor })}\n`,
  },
};

/** The fingerprint, which stands for a correlation id in the API, is left out: it has a column of its own. */
function toCell(event: Event, column: (typeof COLUMNS)[number]): string {
  const hasNone = column === 'correlationId' && event.correlationId === event.fingerprint;
  return hasNone ? '' : toText(event[column]);
}

function toText(value: Event[keyof Event]): string {
  if (value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Formats a line of CSV. By hand, since it is these lines: csv-stringify 6 is a megabyte. */
function toCsvLine(values: string[]): string {
  const cells = values.map((value) => {
    const safe = FORMULA.test(value) ? `'${value}` : value;
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  });
  return `${cells.join(',')}\r\n`;
}
