import { type Static, Type } from 'typebox';
import { Cursor, IsoTime, Limit, Nullable, Timestamp } from '../../http/schemas.ts';
import { toId } from '../../platform/ids.ts';
import { isoTime } from '../../platform/time.ts';
import { KINDS, readElement } from './dead-letter.ts';
import type { DeadLetterRow } from './queries.ts';

export const DeadLetter = Type.Object({
  id: Type.String({
    description: 'Job that ingestion answered for it.',
    examples: ['job_01h455vb4pex5vsknk084sn02q'],
  }),
  kind: Type.Enum([...KINDS], {
    description:
      '`unreadable`: a text that is nothing of this project. It is not shown, and can only be discarded.',
  }),
  title: Type.String({ description: 'Beginning of the message of an event, or the release of a deploy.' }),
  events: Type.Integer({ description: 'Number of accepted events in it: more than one with repeats.' }),
  bytes: Type.Integer(),
  sqlState: Nullable(
    Type.String({
      description: 'SQLSTATE with which PostgreSQL refused it; null: the service did.',
      examples: ['22P05'],
    }),
  ),
  reason: Type.String(),
  createdAt: Timestamp,
});

export const DeadLetterDetail = Type.Object({
  ...DeadLetter.properties,
  event: Type.Unsafe<Record<string, unknown> | null>({
    type: ['object', 'null'],
    additionalProperties: true,
    description: 'As it was queued, without secrets; null: it is unreadable.',
  }),
});

const SqlState = Type.Optional(
  Type.String({ maxLength: 5, description: 'Only those that PostgreSQL refused with this SQLSTATE.' }),
);

export const ListQuery = Type.Object({
  sql_state: SqlState,
  limit: Type.Optional(Limit),
  cursor: Type.Optional(Cursor),
});

const Until = Type.Optional({
  ...IsoTime,
  description:
    'Only those that were there at this time: `until` of the first answer, so that none is replayed twice. Default: now.',
});

export const Filter = Type.Object({ sql_state: SqlState, until: Until });

export const TakenLetters = Type.Object({
  count: Type.Integer({ description: 'Number of dead letters.' }),
  left: Type.Integer({ description: 'Number of those that are left: repeat the request; 100,000 at most.' }),
  until: Timestamp,
});

/** Public form of a reason of the service itself: no SQLSTATE. */
export function toDeadLetter({ id, sqlState, createdAt, ...row }: DeadLetterRow): Static<typeof DeadLetter> {
  return { ...row, id: toId('job', id), sqlState: sqlState || null, createdAt: isoTime(createdAt) };
}

export function toDetail({
  event,
  ...row
}: DeadLetterRow & { event: string }): Static<typeof DeadLetterDetail> {
  return { ...toDeadLetter(row), event: row.kind === 'unreadable' ? null : readElement(event) };
}
