import { type Static, Type } from 'typebox';
import { NullableSeverity, Severity } from '../events/severity.ts';
import { Cursor, Limit, Name, Nullable, Timestamp } from '../http/schemas.ts';
import { toId } from '../platform/ids.ts';
import { isoTime } from '../platform/time.ts';
import { MAX_NOTE_LENGTH } from './limits.ts';

export const STATUSES = ['open', 'investigating', 'resolved'] as const;
export const Status = Type.Enum([...STATUSES]);
export type Status = Static<typeof Status>;

/** What a risk incident is about; null: any value. */
export const RiskSeries = Type.Object({
  kind: Type.Enum(['events', 'total', 'errors', 'other', 'failed_payments', 'new_kind', 'rule'], {
    description:
      '`events`: those of one type, severity and source. `total`: all of the project. `errors`: all of severity error or worse. `other`: what came after the project had as many series as are told apart. `failed_payments`: out of all payments. `new_kind`: errors never seen before. `rule`: whatever matches one of the project’s own rules.',
  }),
  type: Nullable(Type.String()),
  severity: NullableSeverity,
  source: Nullable(Type.String()),
  fingerprint: Nullable(Type.String()),
});
export type RiskSeries = Static<typeof RiskSeries>;

/** Equal for the same series, different for any other: all fields tell series apart. */
export function seriesKey({ kind, type, severity, source, fingerprint }: RiskSeries): string {
  return JSON.stringify([kind, type, severity, source, fingerprint]);
}

const RISK_RULES = [
  'rise',
  'drop',
  'silence',
  'failed_payments',
  'error_share',
  'at_least',
  'new_kind',
] as const;
export const RiskRule = Type.Enum([...RISK_RULES]);
export type RiskRule = Static<typeof RiskRule>;

/** The series attached to an incident that are listed. */
export const MAX_ALSO_SERIES = 20;

/** What the failures of a window are compared with. */
const Exposure = Type.Object(
  {
    events: Type.Number({
      description:
        'Payments, with those that failed; of errors, the events of severity info and warn of their source, or of the project where it has none.',
    }),
    failures: Type.Number(),
    usualShare: Type.Number({ description: 'Failures for one event, usually: 0.03 are 3 of 100.' }),
    isInProportion: Type.Boolean({
      description: 'Whether the errors have risen no more than the events: then it is at most a warning.',
    }),
  },
  { description: 'What failures were compared with; null where counts were compared with counts alone.' },
);
type Exposure = Static<typeof Exposure>;
const NullableExposure = Type.Unsafe<Exposure | null>({ ...Exposure, type: ['object', 'null'] });

/**
 * A series attached to an incident beside that of its headline, with the numbers of its alarm: the fields of the series
 * stand beside them.
 */
export const AttachedSeries = Type.Object(
  {
    ...RiskSeries.properties,
    rule: Type.Unsafe<RiskRule | null>({ enum: [...RISK_RULES, null] }),
    alarmSeverity: Type.Unsafe<Severity | null>({
      ...NullableSeverity,
      description: 'How bad its alarm is; `severity` is that of its events.',
    }),
    observed: Nullable(Type.Number({ description: 'In the window in which its newest alarm opened.' })),
    expected: Nullable(Type.Number()),
    peak: Nullable(Type.Number({ description: 'The most that was observed in the windows of its alarms.' })),
    windowSeconds: Nullable(Type.Number()),
    from: Nullable(Timestamp),
    at: Nullable(Timestamp),
    exposure: NullableExposure,
  },
  { description: 'The numbers are null where a version attached it that kept none.' },
);
export type AttachedSeries = Static<typeof AttachedSeries>;
/** One whose numbers are known. */
export type AttachedAlarm = RiskSeries & {
  [Field in Exclude<keyof AttachedSeries, keyof RiskSeries | 'exposure'>]: NonNullable<AttachedSeries[Field]>;
} & Pick<AttachedSeries, 'exposure'>;

/** Why a risk incident opened, in one sentence and in numbers. */
export const Evidence = Type.Object({
  sentence: Type.String(),
  rule: RiskRule,
  series: RiskSeries,
  observed: Type.Number({ description: 'Events in the window; of failed payments, how many of 100.' }),
  expected: Type.Number({ description: 'What was to be expected instead, in the same unit.' }),
  windowSeconds: Type.Number(),
  from: Timestamp,
  to: Timestamp,
  falseAlarmsPerWeek: Nullable(
    Type.Number({
      description:
        'How often per week chance alone brings something as unusual; null for absolute rules, and in the first hours of a project.',
    }),
  ),
  exposure: NullableExposure,
  alsoSeries: Type.Array(AttachedSeries, { description: 'What joined, with its numbers, at most 20.' }),
  escalation: Type.Unsafe<{ at: string; sentence: string; severity: Severity } | null>({
    ...Type.Object({ at: Timestamp, sentence: Type.String(), severity: Severity }),
    type: ['object', 'null'],
    description:
      'The newest series of another source that joined at a higher severity than the incident had: something else may have begun.',
  }),
  sampleEventIds: Type.Array(Type.String(), { description: 'The newest events behind it, at most 10.' }),
  correlationIds: Type.Array(Type.Object({ correlationId: Type.String(), events: Type.Integer() }), {
    description: 'Who is hit most among the newest events, at most 5.',
  }),
});
export type Evidence = Static<typeof Evidence>;

/** What is observed of a series now. */
const CurrentValues = {
  observed: Type.Integer({ description: 'Events in the window; of failed payments, those that failed.' }),
  perMinute: Type.Number(),
  expected: Nullable(
    Type.Number({ description: 'In as long a window, when the alarm opened; null for rules and shares.' }),
  ),
  trend: Type.Enum(['rising', 'steady', 'falling'], {
    description: 'Against the minutes before the window.',
  }),
};

const CurrentSchema = Type.Object({
  at: Timestamp,
  windowSeconds: Type.Integer({
    description: 'The last five minutes, or those since the incident began: one at least.',
  }),
  ...CurrentValues,
  peak: Type.Unsafe<{ perMinute: number; at: string } | null>({
    ...Type.Object({ perMinute: Type.Number(), at: Timestamp }),
    type: ['object', 'null'],
    description:
      'The minute with the most events since it began, in the last day; of what is missing, the fewest.',
  }),
  share: Nullable(
    Type.Number({
      description:
        'Of errors, how many they are of 100 events of the same source; of failed payments, of 100 payments.',
    }),
  ),
  series: Type.Array(Type.Object({ ...RiskSeries.properties, ...CurrentValues }), {
    description: 'The same of attached series, at most 8.',
  }),
});
export type Current = Static<typeof CurrentSchema>;

/** An incident as far as its current values depend on it; all ids are UUIDs. */
export interface FollowedIncident {
  id: string;
  organizationId: string;
  projectId: string;
  evidence: StoredEvidence | null;
  isResolved: boolean;
}

/** Works out what is observed of an open incident now. @returns null for any other, and where it is not known */
export type ReadCurrent = (incident: FollowedIncident) => Promise<Current | null>;

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
  origin: Type.Enum(['manual', 'risk']),
  eventCount: Type.Integer(),
  evidence: Type.Unsafe<Evidence | null>({ ...Evidence, type: ['object', 'null'] }),
  current: Type.Unsafe<Current | null>({
    ...CurrentSchema,
    type: ['object', 'null'],
    description:
      'What is observed now, by the minute in which events were captured; changes without an entry in the timeline. Null in lists, for resolved incidents and those created by hand, and where it is not known at once.',
  }),
  previousIncidentId: Nullable(Type.String()),
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
  limit: Type.Optional(Limit),
  cursor: Type.Optional(Cursor),
});

export const TimelineQuery = Type.Object({ limit: Type.Optional(Limit), cursor: Type.Optional(Cursor) });

export const IncidentCountsQuery = Type.Object({
  project_id: Type.Optional(Type.String({ maxLength: 256 })),
});

export const IncidentCounts = Type.Object({
  open: Type.Integer(),
  investigating: Type.Integer(),
  resolved: Type.Integer(),
});
export type IncidentCounts = Static<typeof IncidentCounts>;

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

/** A row of the numbers of an attached series, as versions stored them beside `alsoSeries`. */
interface StoredJoined extends Omit<AttachedAlarm, keyof RiskSeries | 'alarmSeverity' | 'exposure'> {
  series: RiskSeries;
  severity: Severity;
}

/** Evidence as a row of any version holds it: older ones kept no exposure, and no numbers of what joined, or kept them apart. */
export type StoredEvidence = Omit<Evidence, 'alsoSeries' | 'falseAlarmsPerWeek' | 'escalation' | 'exposure'> &
  Partial<Pick<Evidence, 'falseAlarmsPerWeek' | 'escalation' | 'exposure'>> & {
    alsoSeries: (AttachedSeries | RiskSeries)[];
    joined?: StoredJoined[];
    /** The name of `falseAlarmsPerWeek` in the version before. */
    chanceAWeek?: number | null;
    /** When another series became the headline last; missing: it is the first. */
    headlineAt?: string;
  };

const NO_NUMBERS = {
  rule: null,
  alarmSeverity: null,
  observed: null,
  expected: null,
  peak: null,
  windowSeconds: null,
  from: null,
  at: null,
  exposure: null,
};

/** What is attached according to a row of any version, each series once. */
export function readAttached({ alsoSeries, joined = [] }: StoredEvidence): AttachedSeries[] {
  const numbers = new Map(
    joined.map(({ series, severity, ...row }) => [seriesKey(series), { ...row, alarmSeverity: severity }]),
  );
  const all = new Map(joined.map(({ series }) => [seriesKey(series), series]));
  for (const series of alsoSeries) all.set(seriesKey(series), series);
  return [...all].map(([key, series]) => ({ ...NO_NUMBERS, ...numbers.get(key), ...series }));
}

/** Whether a version attached it that kept numbers; frames of others lack the fields. */
export function hasNumbers(series: AttachedSeries): series is AttachedAlarm {
  return typeof series.observed === 'number';
}

/** Evidence out of a row of any version. */
export function readEvidence(stored: StoredEvidence): Evidence {
  const { chanceAWeek = null, falseAlarmsPerWeek = chanceAWeek, escalation = null } = stored;
  const { joined: _joined, headlineAt: _headlineAt, chanceAWeek: _oldName, ...rest } = stored;
  const { exposure = null } = stored;
  return { ...rest, falseAlarmsPerWeek, escalation, exposure, alsoSeries: readAttached(stored) };
}

/**
 * The JSON of a row. During a rolling update processes of the versions before read it, which know `falseAlarmsPerWeek` as
 * `chanceAWeek`, and the numbers of attached series as `joined`: so rows have both (expand). Contract: a version that runs
 * beside no older one than this writes the new names alone; `readEvidence` knows the old ones for as long as such rows
 * may exist.
 */
export function evidenceToJson(evidence: StoredEvidence): string {
  const { falseAlarmsPerWeek, alsoSeries } = readEvidence(evidence);
  const joined = alsoSeries.filter(hasNumbers).map(toStoredJoined);
  return JSON.stringify({
    ...evidence,
    falseAlarmsPerWeek,
    chanceAWeek: falseAlarmsPerWeek,
    alsoSeries,
    joined,
  });
}

function toStoredJoined(attached: AttachedAlarm): StoredJoined {
  const { kind, type, severity, source, fingerprint, alarmSeverity, ...numbers } = attached;
  return {
    series: { kind, type, severity, source, fingerprint },
    severity: alarmSeverity,
    ...numbers,
  };
}

/** An incident as the database holds it; all ids are UUIDs. */
export interface IncidentRow {
  id: string;
  organizationId: string;
  projectId: string;
  title: string;
  titleOrigin: Static<typeof TitleOrigin>;
  severity: Severity;
  status: Status;
  origin: 'manual' | 'risk';
  eventCount: number;
  evidence: StoredEvidence | null;
  type: string | null;
  source: string | null;
  previousIncidentId: string | null;
  /** The detector's own number of it, which counts up within the project; null for one that people made. */
  riskNumber: number | null;
  createdAt: Date;
  updatedAt: Date;
  resolvedAt: Date | null;
}

export function toIncident(row: IncidentRow, current: Current | null = null): Incident {
  return {
    id: toId('inc', row.id),
    title: row.title,
    titleOrigin: row.titleOrigin,
    severity: row.severity,
    status: row.status,
    projectId: toId('proj', row.projectId),
    organizationId: toId('org', row.organizationId),
    origin: row.origin,
    eventCount: row.eventCount,
    evidence: row.evidence && readEvidence(row.evidence),
    current,
    previousIncidentId: row.previousIncidentId && toId('inc', row.previousIncidentId),
    createdAt: isoTime(row.createdAt),
    updatedAt: isoTime(row.updatedAt),
    resolvedAt: row.resolvedAt && isoTime(row.resolvedAt),
  };
}

export interface TimelineRow {
  id: string;
  createdAt: Date;
  userId: string | null;
  userName: string | null;
  before: IncidentChanges | null;
  after: IncidentChanges | null;
  note: string | null;
}

export function toTimelineEntry(row: TimelineRow): Static<typeof TimelineEntry> {
  return {
    id: toId('tle', row.id),
    at: isoTime(row.createdAt),
    by: row.userId ? { id: toId('usr', row.userId), name: row.userName ?? 'Former member' } : null,
    from: row.before,
    to: row.after,
    note: row.note,
  };
}
