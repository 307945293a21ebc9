import { type Static, Type } from 'typebox';
import { MAX_SEARCH_LENGTH } from '../events/limits.ts';
import { Severity } from '../events/severity.ts';
import { Cursor, IdText, Limit, Name, Nullable, Timestamp } from '../http/schemas.ts';
import { type Current, CurrentSchema } from './current-values.ts';
import { Evidence } from './evidence-schema.ts';
import { MAX_NOTE_LENGTH } from './limits.ts';

export const STATUSES = ['open', 'investigating', 'resolved'] as const;
export const Status = Type.Enum([...STATUSES]);
export type Status = Static<typeof Status>;

const ORIGINS = ['manual', 'risk', 'schedule'] as const;

/** Who worded a title. */
const TitleOrigin = Type.Enum(['generated', 'person'], {
  description:
    '`generated`: the service worded the title, which says no more than the evidence. `person`: a person chose it.',
});

export const Incident = Type.Object({
  id: Type.String({ examples: ['inc_01h455vb4pex5vsknk084sn02q'] }),
  title: Type.String(),
  titleOrigin: TitleOrigin,
  severity: Severity,
  status: Status,
  projectId: Type.String(),
  organizationId: Type.String(),
  origin: Type.Enum([...ORIGINS], {
    description: '`schedule`: a declared job failed, did not end or did not check in.',
  }),
  scheduleId: Nullable(
    Type.String({ description: 'Of origin `schedule`: the schedule, which may be deleted by now.' }),
  ),
  eventCount: Type.Integer(),
  evidence: Type.Unsafe<Evidence | null>({ ...Evidence, type: ['object', 'null'] }),
  current: Type.Unsafe<Current | null>({
    ...CurrentSchema,
    type: ['object', 'null'],
    description:
      'What is observed now, by the minute in which events were captured; changes without an entry in the timeline. Null in lists, for resolved incidents and those created by hand, and where it is not known at once.',
  }),
  previousIncidentId: Nullable(Type.String()),
  investigatorId: Nullable(Type.String({ description: 'The user who moved it to `investigating`.' })),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  resolvedAt: Nullable(Timestamp),
});
export type Incident = Static<typeof Incident>;

/** The fields that a timeline entry may change. */
const Changes = Type.Object({
  status: Type.Optional(Status),
  title: Type.Optional(Type.String()),
  severity: Type.Optional(Severity),
});
export type IncidentChanges = Static<typeof Changes>;

export const Person = Type.Object({ id: Type.String(), name: Type.String() });

export const TimelineEntry = Type.Object({
  id: Type.String(),
  at: Timestamp,
  by: Type.Unsafe<{ id: string; name: string } | null>({
    type: ['object', 'null'],
    properties: { id: { type: 'string' }, name: { type: 'string' } },
    required: ['id', 'name'],
    description: 'Null: Tocsin itself.',
  }),
  from: Type.Unsafe<IncidentChanges | null>({ ...Changes, type: ['object', 'null'] }),
  to: Type.Unsafe<IncidentChanges | null>({ ...Changes, type: ['object', 'null'] }),
  note: Nullable(Type.String()),
});

export const IncidentWithTimeline = Type.Object({
  ...Incident.properties,
  timeline: Type.Array(TimelineEntry, {
    description: 'Oldest first: the newest 100 entries. `GET /incidents/:id/timeline` has all of them.',
  }),
});

const IncidentSort = Type.Enum(['newest', 'severity'], {
  default: 'newest',
  description: '`severity`: the worst first, and of equal ones the newest.',
});
export type IncidentSort = Static<typeof IncidentSort>;

export const IncidentQuery = Type.Object({
  project_id: Type.Optional(Type.String({ maxLength: 256 })),
  status: Type.Optional(Status),
  sort: Type.Optional(IncidentSort),
  q: Type.Optional(
    Type.String({
      maxLength: MAX_SEARCH_LENGTH,
      description:
        'A text in the title, in the sentence that says why it opened, or in the name of the project, in any case.',
    }),
  ),
  limit: Type.Optional(Limit),
  cursor: Type.Optional(Cursor),
});

export const TimelineQuery = Type.Object({ limit: Type.Optional(Limit), cursor: Type.Optional(Cursor) });

export const PreviousQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, default: 5, description: 'Above 20 it is cut to 20.' })),
});

export const IncidentCountsQuery = Type.Object({
  project_id: Type.Optional(Type.String({ maxLength: 256 })),
});

export const IncidentCounts = Type.Object({
  open: Type.Integer(),
  investigating: Type.Integer(),
  resolved: Type.Integer(),
});
export type IncidentCounts = Static<typeof IncidentCounts>;

export const IncidentSummary = Type.Object({
  since: Timestamp,
  opened: Type.Integer({ description: 'Incidents opened since then.' }),
  resolved: Type.Integer({ description: 'Incidents resolved since then.' }),
  medianSecondsToResolve: Nullable(
    Type.Number({ description: 'From opening to resolution, of those resolved since then.' }),
  ),
});
export type IncidentSummary = Static<typeof IncidentSummary>;

export const IncidentId = Type.Object({ id: IdText });

export const NewIncident = Type.Object({
  title: Name('Short description'),
  severity: Severity,
  projectId: Type.String({ maxLength: 256 }),
  status: Type.Optional(Type.Enum(['open', 'investigating'], { default: 'open' })),
});

export const IncidentPatch = Type.Object({
  status: Type.Optional(Status),
  title: Type.Optional(Name('Short description')),
  severity: Type.Optional(Severity),
});

export const NewNote = Type.Object({
  note: Type.String({ minLength: 1, maxLength: MAX_NOTE_LENGTH, pattern: '\\S', description: 'Plain text.' }),
});
