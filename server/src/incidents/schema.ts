import { type Static, Type } from 'typebox';
import { FailedPayments } from '../events/failed-payments.ts';
import { Severity } from '../events/severity.ts';
import { Nullable, Timestamp } from '../http/schemas.ts';
import { type Current, CurrentSchema } from './current-values.ts';
import { Evidence } from './evidence-schema.ts';
import { Lead } from './lead-schema.ts';
import { STATUSES } from './statuses.ts';

export const Status = Type.Enum([...STATUSES]);
export type Status = Static<typeof Status>;

const ORIGINS = ['manual', 'risk', 'schedule', 'alertmanager', 'grafana'] as const;

/** Author of a title. */
const TitleOrigin = Type.Enum(['generated', 'person'], {
  description:
    '`generated`: the service worded the title, which says no more than the evidence. `person`: a person chose it.',
});

const MainGroup = Type.Object({
  groupId: Type.String(),
  key: Type.String({ examples: ['SHOP-12'] }),
  title: Type.String(),
  share: Type.Number({ description: 'Share of the events of the lead, from 0 to 1.' }),
});
type MainGroup = Static<typeof MainGroup>;

const LeadRate = Type.Object({
  observed: Type.Number(),
  usual: Nullable(Type.Number()),
  unit: Type.Enum(['per_minute', 'percent'], { description: '`percent`: of payments, those that failed.' }),
});
type LeadRate = Static<typeof LeadRate>;

const LeadRelease = Type.Object({
  version: Type.String(),
  says: Type.Enum(['new', 'all', 'returned', 'more', 'timing'], {
    description:
      '`new`: no other release ever had the main group. `all`: all of the errors of this incident are of the release. `returned`: so they are, and those of `alsoIn` had the group before. `more`: more than its part. `timing`: it was deployed shortly before.',
  }),
  alsoIn: Type.Array(Type.String(), {
    description: 'Other releases that ever had the main group, the newest first, at most 5.',
  }),
});
export type LeadRelease = Static<typeof LeadRelease>;

const EventsQuery = Type.Object(
  {
    says: Type.Enum(['counted', 'before'], {
      description: '`counted`: exactly the events of `eventCount`. `before`: what came before it.',
    }),
    params: Type.Record(Type.String(), Type.String()),
  },
  { description: 'Parameters of `GET /events`, of its histogram, of top values and of the export.' },
);

const IncidentLink = Type.Object({
  name: Type.Enum(['alert', 'runbook', 'silence', 'dashboard'], {
    description:
      'Page of the sender about it: `alert` is its rule or graph, `silence` the form that silences it there.',
  }),
  url: Type.String({ examples: ['https://runbooks.example/disk-full'] }),
});
export type IncidentLink = Static<typeof IncidentLink>;

export const Incident = Type.Object({
  id: Type.String({ examples: ['inc_01h455vb4pex5vsknk084sn02q'] }),
  title: Type.String(),
  titleOrigin: TitleOrigin,
  severity: Severity,
  status: Status,
  projectId: Type.String(),
  organizationId: Type.String(),
  origin: Type.Enum([...ORIGINS], {
    description:
      '`schedule`: a declared job failed, did not end or did not check in. `alertmanager`, `grafana`: alerts of that system fired.',
  }),
  scheduleId: Nullable(
    Type.String({ description: 'Schedule, for incidents of origin `schedule`; it may be deleted by now.' }),
  ),
  links: Type.Array(IncidentLink, { description: 'Links of its alerts, at most one of each name.' }),
  lead: Lead,
  since: Type.String({
    ...Timestamp,
    description:
      'First event of the lead, or first minute of its excess, by the time of capture; of an absence the end of the minute with the last event; else the creation. It never moves backwards. If the excess fills the searched time, the sentence of `evidence` says “or earlier”.',
  }),
  until: Nullable(Type.String({ ...Timestamp, description: 'Time of its end; null: it goes on.' })),
  eventCount: Type.Integer({
    description:
      'Distinct events of the lead, captured from `since` until it was over. 0 where events are missing, for schedules, and for incidents created by hand. It falls only where the lead changes.',
  }),
  mainGroup: Type.Unsafe<MainGroup | null>({
    ...MainGroup,
    type: ['object', 'null'],
    description: 'The group with more than 60% of the events when they became the lead.',
  }),
  rate: Type.Unsafe<LeadRate | null>({
    ...LeadRate,
    type: ['object', 'null'],
    description: 'Count when it became the lead, and the usual one; `current` has the present one.',
  }),
  release: Type.Unsafe<LeadRelease | null>({ ...LeadRelease, type: ['object', 'null'] }),
  eventsQuery: EventsQuery,
  evidence: Type.Unsafe<Evidence | null>({ ...Evidence, type: ['object', 'null'] }),
  current: Type.Unsafe<Current | null>({
    ...CurrentSchema,
    type: ['object', 'null'],
    description:
      'Present values, by the minute in which events were captured; they change without an entry in the timeline. Null in lists, for resolved incidents and those created by hand, and if they are not known at once.',
  }),
  previousIncidentId: Nullable(Type.String()),
  investigatorId: Nullable(Type.String({ description: 'The user who moved it to `investigating`.' })),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  resolvedAt: Nullable(Timestamp),
});
export type Incident = Static<typeof Incident>;

/** Fields that a timeline entry may change. */
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

const Facts = Type.Object({
  users: Type.Object(
    {
      count: Type.Integer(),
      isExact: Type.Boolean({ description: 'False: there are at least so many.' }),
    },
    { description: 'Different values of `user_id`, else `customer_id`, among the counted events.' },
  ),
  newestEvent: Type.Unsafe<{ id: string; message: string; at: string } | null>({
    ...Type.Object({ id: Type.String(), message: Type.String(), at: Timestamp }),
    type: ['object', 'null'],
    description: 'Newest of the counted events; null: there are none.',
  }),
  failedPayments: Type.Unsafe<FailedPayments | null>({
    ...FailedPayments,
    type: ['object', 'null'],
    description: 'Failed payments among the counted events; null: none of them has an amount.',
  }),
  eventsKeptFrom: Nullable(
    Type.String({ ...Timestamp, description: 'Retention removed earlier events; null: it removed none.' }),
  ),
});
export type Facts = Static<typeof Facts>;

export const IncidentWithTimeline = Type.Object({
  ...Incident.properties,
  facts: Type.Unsafe<Facts | null>({
    ...Facts,
    type: ['object', 'null'],
    description: 'Facts from its counted events; null if they are not known at once.',
  }),
  timeline: Type.Array(TimelineEntry, {
    description:
      'Oldest first: the newest 100 entries, fewer where their notes have more than 64 KiB. `GET /incidents/:id/timeline` has all of them.',
  }),
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
    Type.Number({ description: 'Time from opening to resolution of those resolved since then.' }),
  ),
});
export type IncidentSummary = Static<typeof IncidentSummary>;
