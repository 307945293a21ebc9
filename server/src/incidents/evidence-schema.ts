import { type Static, Type } from 'typebox';
import { FieldCondition } from '../events/field-schema.ts';
import { NullableSeverity, Severity } from '../events/severity.ts';
import { Nullable, Timestamp } from '../http/schemas.ts';

/** Series of a risk incident; null: any value. */
export const RiskSeries = Type.Object({
  kind: Type.Enum(['events', 'total', 'errors', 'other', 'failed_payments', 'new_kind', 'rule'], {
    description:
      '`events`: those of one type, severity and source. `total`: all of the project. `errors`: all of severity error or worse. `other`: what came after the project had as many series as are told apart. `failed_payments`: out of all payments. `new_kind`: errors never seen before. `rule`: whatever matches one of the project’s own rules.',
  }),
  type: Nullable(Type.String()),
  severity: NullableSeverity,
  source: Nullable(Type.String()),
  fingerprint: Nullable(Type.String()),
  field: Type.Optional(FieldCondition),
});
export type RiskSeries = Static<typeof RiskSeries>;

/** Key that is equal for the same series and different for any other: all fields tell series apart. */
export function seriesKey(series: RiskSeries): string {
  const { kind, type, severity, source, fingerprint, field } = series;
  const condition = field && [field.path, field.operator, field.value];
  return JSON.stringify([kind, type, severity, source, fingerprint, condition]);
}

/** Returns the series alone, of an object that has its fields beside others. */
export function toSeries({ kind, type, severity, source, fingerprint, field }: RiskSeries): RiskSeries {
  return { kind, type, severity, source, fingerprint, ...(field && { field }) };
}

const RISK_RULES = [
  'rise',
  'drop',
  'silence',
  'failed_payments',
  'error_share',
  'at_least',
  'above_share',
  'new_kind',
] as const;
export const RiskRule = Type.Enum([...RISK_RULES]);
export type RiskRule = Static<typeof RiskRule>;

/** Maximum listed series that are attached to an incident. */
export const MAX_ALSO_SERIES = 20;

/** Base that the failures of a window are compared with. */
const Exposure = Type.Object(
  {
    events: Type.Number({
      description:
        'Payments, with those that failed; of a rule’s share, the events of its type and source; of errors, the events of severity info and warn of their source, or of the project where it has none.',
    }),
    failures: Type.Number(),
    usualShare: Type.Number({
      description: 'Failures for one event, usually: 0.03 are 3 of 100; of a rule, its limit.',
    }),
    isInProportion: Type.Boolean({
      description:
        'True if the errors have risen no more than the events; the incident is at most a warning then.',
    }),
  },
  { description: 'Counts that failures were compared with; null if counts were compared with counts alone.' },
);
type Exposure = Static<typeof Exposure>;
const NullableExposure = Type.Unsafe<Exposure | null>({ ...Exposure, type: ['object', 'null'] });

export const RuleName = Type.Optional(
  Type.String({
    description: 'Name of the project’s own rule; missing for one without a name, and for everything else.',
    examples: ['Payments fail'],
  }),
);

const RenamedTo = Type.Optional(
  Type.String({
    description: 'Name that the source of a silence may have been given; missing if none is known.',
    examples: ['sync-eu'],
  }),
);

/**
 * A series attached to an incident beside that of its headline, with the numbers of its alarm: the fields of the
 * series stand beside them.
 */
export const AttachedSeries = Type.Object(
  {
    ...RiskSeries.properties,
    rule: RiskRule,
    alarmSeverity: Type.Unsafe<Severity>({
      ...Severity,
      description: 'Severity of its alarm; `severity` is that of its events.',
    }),
    observed: Type.Number({
      description: 'Count in the window in which its newest alarm opened or became worse.',
    }),
    expected: Type.Number(),
    peak: Type.Number({ description: 'The most that was observed in the windows of its alarms.' }),
    windowSeconds: Type.Number(),
    from: Timestamp,
    at: Timestamp,
    exposure: NullableExposure,
    ruleName: RuleName,
    renamedTo: RenamedTo,
    message: Nullable(
      Type.String({ description: 'The beginning of the message of a new error; null for everything else.' }),
    ),
  },
  {},
);
export type AttachedSeries = Static<typeof AttachedSeries>;

/** Attached series as the API lists it. */
const JoinedSeries = Type.Object({
  ...AttachedSeries.properties,
  isSuperset: Type.Boolean({
    description: 'True for a sum that holds the events of `series`, such as all events of the project.',
  }),
});

const ReleaseShare = Type.Object(
  {
    release: Type.String({ examples: ['4.18.1'] }),
    says: Type.Enum(['all', 'more', 'timing'], {
      description:
        '`all`: all of the errors are of the release, `more`: more than its part, both beyond chance. `timing`: it has all of the events since its deploy, so that nothing can be compared; it was deployed shortly before.',
    }),
    failed: Type.Integer({ description: 'Errors of the release.' }),
    allFailed: Type.Integer({ description: 'Errors of all releases.' }),
    trafficShare: Nullable(
      Type.Number({ description: 'Its part of the other events, from 0 to 1; null: there are none.' }),
    ),
    isByUser: Type.Boolean({ description: 'True if users were compared; false if the errors name none.' }),
    deployedAt: Nullable(Timestamp),
    isDeployReported: Type.Boolean({ description: 'False: it is the time of its first event.' }),
    minutesBefore: Nullable(
      Type.Number({ description: 'Time from the deploy to the first error of the release.' }),
    ),
    isPartial: Type.Boolean({
      description: 'True if there are more errors before `from`, which were not read.',
    }),
    from: Timestamp,
    to: Timestamp,
  },
  { description: 'Distribution of the errors over releases, among the newest 20,000 events of the project.' },
);
export type ReleaseShare = Static<typeof ReleaseShare>;
export const NullableReleaseShare = Type.Unsafe<ReleaseShare | null>({
  ...ReleaseShare,
  type: ['object', 'null'],
});

const EvidenceGroup = Type.Object({
  id: Type.String(),
  number: Type.Integer(),
  key: Type.String({ examples: ['SHOP-12'] }),
  title: Type.String(),
});
export type EvidenceGroup = Static<typeof EvidenceGroup>;

/** Reason for which a risk incident opened, in one sentence and in numbers. */
export const Evidence = Type.Object({
  sentence: Type.String(),
  rule: RiskRule,
  series: RiskSeries,
  observed: Type.Number({
    description: 'Events in the window; of failed payments and of a rule’s share, how many of 100.',
  }),
  expected: Type.Number({ description: 'Expected value, or the limit of a rule, in the same unit.' }),
  windowSeconds: Type.Number(),
  from: Timestamp,
  to: Timestamp,
  falseAlarmsPerWeek: Nullable(
    Type.Number({
      description:
        'False alarms as unusual as this that chance alone brings per week; null for absolute rules, and in the first hours of a project.',
    }),
  ),
  exposure: NullableExposure,
  ruleName: RuleName,
  renamedTo: RenamedTo,
  alsoSeries: Type.Array(JoinedSeries, {
    description: 'Series that joined, with their numbers, at most 20. They add to no count of the incident.',
  }),
  escalation: Type.Unsafe<{ at: string; sentence: string; severity: Severity } | null>({
    ...Type.Object({ at: Timestamp, sentence: Type.String(), severity: Severity }),
    type: ['object', 'null'],
    description:
      'The newest series of another source that joined at a higher severity than the incident had: something else may have begun.',
  }),
  group: Type.Unsafe<EvidenceGroup | null>({
    ...EvidenceGroup,
    type: ['object', 'null'],
    description: 'The group of the new error that it is about or began with, as it was then.',
  }),
  release: NullableReleaseShare,
  sampleEventIds: Type.Array(Type.String(), { description: 'The newest events behind it, at most 10.' }),
  correlationIds: Type.Array(Type.Object({ correlationId: Type.String(), events: Type.Integer() }), {
    description: 'Users with the most of the newest events, at most 5.',
  }),
});
export type Evidence = Static<typeof Evidence>;
