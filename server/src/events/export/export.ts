import { Readable } from 'node:stream';
import { Type } from 'typebox';
import type { HttpApp } from '../../http/http-app.ts';
import { readCursor } from '../../http/pages.ts';
import { Cursor } from '../../http/schemas.ts';
import { goneSignal } from '../../http/sockets/gone-signal.ts';
import type { Clock } from '../../platform/clock.ts';
import { toId } from '../../platform/ids.ts';
import { isoTime } from '../../platform/time.ts';
import { sessionOf } from '../../tenancy/session.ts';
import { toConditions } from '../conditions.ts';
import { toEvent } from '../event-row.ts';
import type { EventConditions, EventPage } from '../read-types.ts';
import type { EventReader } from '../reader.ts';
import { EventFilter } from '../schema.ts';
import { type ExportFormat, WRITERS } from './export-format.ts';

/** Maximum events in one file; another export continues where it ends. */
const MAX_EXPORTED = 100_000;
const PAGE_LENGTH = 500;
/** Maximum pages of a file: a page of a search may have few events, or none. */
const MAX_PAGES = 2 * (MAX_EXPORTED / PAGE_LENGTH);

/** A stream that is sent as it is; its content is text. */
const File = Type.Unsafe<Readable>({ type: 'string' });

const ExportQuery = Type.Object({
  ...EventFilter.properties,
  format: Type.Optional(Type.Enum(['csv', 'ndjson'], { default: 'csv' })),
  cursor: Type.Optional(Cursor),
});

export function registerEventExport(
  app: HttpApp,
  { events, clock }: { events: EventReader; clock: Clock },
): void {
  app.get(
    '/events/export',
    {
      schema: {
        tags: ['Events'],
        summary: 'Export events as a file',
        description: `Under the filters of the list; newest first, with payloads. In CSV the correlation id of an event without a correlation is empty. At most ${MAX_EXPORTED.toLocaleString('en')} events: where there are more, the last line says so and holds the \`cursor\` with which another export goes on. The file is sent while it is read.`,
        querystring: ExportQuery,
        response: {
          200: {
            description: 'The file',
            content: {
              'text/csv': { schema: File },
              'application/x-ndjson': { schema: File },
            },
          },
        },
      },
    },
    async (request, reply) => {
      const { format = 'csv' } = request.query;
      const { organizationId } = sessionOf(request);
      const conditions = await toConditions(events, sessionOf(request).organizationId, request.query);
      const readPage = pagesOf(events, organizationId, conditions, goneSignal(reply.raw));
      // Refusals happen here, with a problem document: a file that has begun can only end early.
      const first = await readPage(readCursor(request.query.cursor));
      const name = `events-${isoTime(clock.now()).slice(0, 10)}.${format}`;
      void reply.header('content-type', WRITERS[format].mediaType);
      void reply.header('content-disposition', `attachment; filename="${name}"`);
      return reply.send(Readable.from(write(format, first, readPage)));
    },
  );
}

type ReadPage = (cursor: string | null) => Promise<EventPage>;

function pagesOf(
  events: EventReader,
  organizationId: string,
  conditions: EventConditions | null,
  signal: AbortSignal,
): ReadPage {
  return async (cursor) =>
    conditions
      ? events.list(organizationId, conditions, { cursor, limit: PAGE_LENGTH, omitPayload: false }, signal)
      : { rows: [], scan: null, next: null };
}

/** Yields one page after the other, each read when the client has received the previous one. */
async function* write(format: ExportFormat, first: EventPage, readPage: ReadPage): AsyncGenerator<string> {
  const { head, lineOf, truncationOf } = WRITERS[format];
  if (head !== '') yield head;
  let page = first;
  let written = 0;
  for (let pages = 1; ; pages++) {
    // Rows have a payload unless it is left out.
    const lines = page.rows.map((row) => lineOf(toEvent({ ...row, payload: row.payload ?? {} })));
    if (lines.length > 0) yield lines.join('');
    written += lines.length;
    if (page.next === null) return;
    if (written >= MAX_EXPORTED || pages >= MAX_PAGES) {
      const id = toId('evt', page.next);
      yield truncationOf(id.slice(id.indexOf('_') + 1));
      return;
    }
    page = await readPage(page.next);
  }
}
