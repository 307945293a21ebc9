import { type Static, Type } from 'typebox';
import { Severity } from '../../events/severity.ts';
import { Nullable, Timestamp } from '../../http/schemas.ts';
import { toId } from '../../platform/ids.ts';
import { isoTime } from '../../platform/time.ts';
import { toPerson } from '../rows.ts';
import { Person, Status } from '../schema.ts';
import type { PreviousRow } from './previous-queries.ts';

export const MAX_PREVIOUS = 20;
/** Maximum notes of each previous incident, the newest of them. */
export const MAX_PREVIOUS_NOTES = 5;

const Note = Type.Object({
  at: Timestamp,
  by: Person,
  note: Type.String(),
});

/** An earlier incident of the same cause: how it ended, and what people wrote about it. */
export const PreviousIncident = Type.Object({
  id: Type.String(),
  title: Type.String(),
  severity: Severity,
  status: Status,
  eventCount: Type.Integer(),
  createdAt: Timestamp,
  resolvedAt: Nullable(Timestamp),
  durationSeconds: Nullable(
    Type.Integer({ description: 'Time from the opening to the resolution; null: it is not resolved.' }),
  ),
  resolvedBy: Type.Unsafe<Static<typeof Person> | null>({
    ...Person,
    type: ['object', 'null'],
    description: 'Null: Tocsin, or it is not resolved.',
  }),
  investigatorId: Nullable(Type.String()),
  notes: Type.Array(Note, { description: `Notes by people, newest first, ${MAX_PREVIOUS_NOTES} at most.` }),
  noteCount: Type.Integer({ description: 'Number of all notes.' }),
});

export function toPreviousIncident(row: PreviousRow): Static<typeof PreviousIncident> {
  const { createdAt, resolvedAt } = row;
  return {
    id: toId('inc', row.id),
    title: row.title,
    severity: row.severity,
    status: row.status,
    eventCount: row.eventCount,
    createdAt: isoTime(createdAt),
    resolvedAt: resolvedAt && isoTime(resolvedAt),
    durationSeconds: resolvedAt && Math.round((resolvedAt.getTime() - createdAt.getTime()) / 1_000),
    resolvedBy: row.resolvedBy === null ? null : toPerson(row.resolvedBy, row.resolverName),
    investigatorId: row.investigatorId && toId('usr', row.investigatorId),
    notes: row.notes.map(({ at, userId, userName, note }) => ({
      at: isoTime(Date.parse(at)),
      by: toPerson(userId, userName),
      note,
    })),
    noteCount: row.noteCount,
  };
}
