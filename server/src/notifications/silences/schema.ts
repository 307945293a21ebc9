import { type Static, Type } from 'typebox';
import { MAX_SOURCE_LENGTH, MAX_TYPE_LENGTH } from '../../events/limits.ts';
import { NullableSeverity } from '../../events/severity.ts';
import { Cursor, IdText, IsoTime, Limit, Nullable, Timestamp } from '../../http/schemas.ts';
import { toPerson } from '../../incidents/rows.ts';
import { DAY_MS } from '../../platform/durations.ts';
import { toId } from '../../platform/ids.ts';
import { allowedUntil } from '../../platform/stored-times.ts';
import { isoTime } from '../../platform/time.ts';
import {
  MAX_CORRELATION_LENGTH,
  MAX_REASON_LENGTH,
  MAX_SILENCE_DAYS,
  MAX_SILENCE_MINUTES,
} from './limits.ts';
import type { SilenceRow } from './rows.ts';

const Reason = Nullable(
  Type.String({
    maxLength: MAX_REASON_LENGTH,
    description: 'Reason, for people who find it.',
    examples: ['Load test'],
  }),
);
const Learn = Type.Boolean({
  default: true,
  description:
    '`false`: detection learns nothing from these minutes, as for a load test; incidents still open. For a project, or series by type, source and severity (there that of events), and for at most 7 days.',
});

/** Scope of a silence; null matches any value. */
const scope = {
  type: Nullable(
    Type.String({
      minLength: 1,
      maxLength: MAX_TYPE_LENGTH,
      description: 'Event type of the incident or of the group.',
    }),
  ),
  source: Nullable(Type.String({ minLength: 1, maxLength: MAX_SOURCE_LENGTH })),
  severity: Type.Unsafe<Static<typeof NullableSeverity>>({
    ...NullableSeverity,
    description: 'Only this severity is silenced; a worse one is sent.',
  }),
  groupId: Nullable(
    Type.String({
      maxLength: 256,
      description: 'The group itself, and incidents where nine in ten of the newest 100 events belong to it.',
    }),
  ),
  scheduleId: Nullable(
    Type.String({
      maxLength: 256,
      description: 'Incidents of this scheduled job; needs `projectId`.',
      examples: ['sch_01h455vb4pex5vsknk084sn02q'],
    }),
  ),
  correlation: Nullable(
    Type.String({
      minLength: 3,
      maxLength: MAX_CORRELATION_LENGTH,
      description: '`KEY=VALUE`, which nine in ten of the newest 100 events have.',
      examples: ['tenant=acme'],
    }),
  ),
};

const Person = Type.Object({ id: Type.String(), name: Type.String() });
const NullablePerson = Type.Unsafe<Static<typeof Person> | null>({ ...Person, type: ['object', 'null'] });

export const Silence = Type.Object({
  id: Type.String({ examples: ['sil_01h455vb4pex5vsknk084sn02q'] }),
  projectId: Nullable(Type.String({ description: 'Null: all projects.' })),
  ...scope,
  reason: Reason,
  learn: Type.Boolean(),
  state: Type.Enum(['active', 'ended']),
  startsAt: Timestamp,
  until: Timestamp,
  createdBy: Person,
  endedAt: Nullable(
    Type.String({ ...Timestamp, description: 'Time at which it expired or a person ended it.' }),
  ),
  endedBy: Type.Unsafe<Static<typeof Person> | null>({
    ...NullablePerson,
    description: 'User who ended it before its time.',
  }),
  matched: Type.Integer({
    description: 'Incidents and groups that it has covered, those that were open when it began included.',
  }),
});
export type Silence = Static<typeof Silence>;

export const NewSilence = Type.Object({
  projectId: Type.Optional(Nullable(IdText)),
  ...Type.Partial(Type.Object(scope)).properties,
  until: Type.Unsafe<string>({
    ...IsoTime,
    description: `Time in the future, at most ${MAX_SILENCE_DAYS} days from now. ISO 8601; without a zone it is UTC.`,
  }),
  reason: Type.Optional(Reason),
  learn: Type.Optional(Learn),
});
export type NewSilence = Static<typeof NewSilence>;

/** Body for pipelines: a whole project, from now on. */
export const NewProjectSilence = Type.Object({
  minutes: Type.Integer({ minimum: 1, maximum: MAX_SILENCE_MINUTES, examples: [30] }),
  reason: NewSilence.properties.reason,
  learn: NewSilence.properties.learn,
});
export type NewProjectSilence = Static<typeof NewProjectSilence>;

export const SilenceState = Type.Enum(['active', 'ended', 'all']);
export type SilenceState = Static<typeof SilenceState>;
export const SilenceQuery = Type.Object({
  state: Type.Optional({ ...SilenceState, default: 'active' }),
  project_id: Type.Optional(
    Type.String({
      maxLength: 256,
      description: 'Filters by project; silences of all projects are included.',
    }),
  ),
  covers: Type.Optional(
    Type.String({
      maxLength: 256,
      description:
        'The id of an incident or a group: of the active silences those that cover it as it is now.',
    }),
  ),
  limit: Type.Optional(Limit),
  cursor: Type.Optional(Cursor),
});

export function toSilence(row: SilenceRow, nowMs: number): Silence {
  const endMs = Math.min(row.until.getTime(), row.endedAt?.getTime() ?? Infinity);
  const hasEnded = row.endedAt !== null || endMs <= nowMs || row.settledAt !== null;
  return {
    id: toId('sil', row.id),
    projectId: row.projectId && toId('proj', row.projectId),
    type: row.type,
    source: row.source,
    severity: row.severity,
    groupId: row.groupId && toId('grp', row.groupId),
    scheduleId: row.scheduleId && toId('sch', row.scheduleId),
    correlation: row.correlation && `${row.correlation.key}=${row.correlation.value}`,
    reason: row.reason,
    learn: row.learn,
    state: hasEnded ? 'ended' : 'active',
    startsAt: isoTime(row.startsAt),
    until: isoTime(allowedUntil(row.until.getTime(), MAX_SILENCE_DAYS * DAY_MS, nowMs)),
    createdBy: toPerson(row.createdBy, row.byName),
    endedAt: hasEnded ? isoTime(endMs) : null,
    endedBy: row.endedBy === null ? null : toPerson(row.endedBy, row.endedByName),
    matched: row.matched,
  };
}
