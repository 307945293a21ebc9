import { type Static, Type } from 'typebox';
import { NullableSeverity, Severity } from '../../events/severity.ts';
import { Cursor, Limit, Nullable, Timestamp } from '../../http/schemas.ts';
import { RiskRule, RiskSeries } from '../../incidents/schema.ts';
import { BUDGET, MAX_RULES, RULE_EVENTS, RULE_MINUTES } from './limits.ts';

const Budget = Type.Number({
  minimum: BUDGET.min,
  maximum: BUDGET.max,
  description: 'Acceptable false alarms per week.',
});

/** "At least so many matching events in so many minutes"; null matches everything, a severity only itself. */
export const CountRule = Type.Object({
  type: Nullable(Type.String({ minLength: 1, maxLength: 128 })),
  severity: NullableSeverity,
  source: Nullable(Type.String({ minLength: 1, maxLength: 256 })),
  events: Type.Integer({ minimum: RULE_EVENTS.min, maximum: RULE_EVENTS.max }),
  minutes: Type.Integer({ minimum: RULE_MINUTES.min, maximum: RULE_MINUTES.max }),
});
export type CountRule = Static<typeof CountRule>;

export const RiskSettings = Type.Object({
  budget: Budget,
  rules: Type.Array(CountRule, { maxItems: MAX_RULES }),
  newKinds: Type.Boolean({
    description: 'Whether an error of a kind never seen before opens an incident, after a day of history.',
  }),
});
export type RiskSettings = Static<typeof RiskSettings>;

/** What is not named stays as it is. */
export const RiskSettingsPatch = Type.Partial(RiskSettings);

export const DecisionOutcome = Type.Enum(
  ['opened', 'joined', 'suppressed', 'closed', 'resolved', 'left_open'],
  {
    description:
      '`closed`: one of the alarms of an incident is over. `resolved`: all are. `left_open`: all are, but a user investigates.',
  },
);
export type DecisionOutcome = Static<typeof DecisionOutcome>;

/** Why something unusual opened nothing. */
const SUPPRESSIONS = [
  'small_effect',
  'hour_of_week',
  'recovery',
  'fewer_errors',
  'fewer_failures',
  'new_kinds_are_usual',
  'late',
] as const;
export type Suppression = (typeof SUPPRESSIONS)[number];

export const Decision = Type.Object({
  id: Type.String({ examples: ['dec_01h455vb4pex5vsknk084sn02q'] }),
  at: Timestamp,
  outcome: DecisionOutcome,
  reason: Type.Unsafe<Suppression | null>({ enum: [...SUPPRESSIONS, null] }),
  sentence: Type.String(),
  series: Type.Unsafe<RiskSeries | null>({ ...RiskSeries, type: ['object', 'null'] }),
  observed: Nullable(Type.Number()),
  expected: Nullable(Type.Number()),
  windowSeconds: Nullable(Type.Number()),
  incidentId: Nullable(Type.String()),
});
export type Decision = Static<typeof Decision>;

export const DecisionQuery = Type.Object({
  outcome: Type.Optional(DecisionOutcome),
  limit: Type.Optional(Limit),
  cursor: Type.Optional(Cursor),
});

/** How a project is watched at this moment. */
export const RiskState = Type.Object({
  paused: Type.Unsafe<{ failedAt: string; retryAt: string; failures: number } | null>({
    ...Type.Object({
      failedAt: Timestamp,
      retryAt: Timestamp,
      failures: Type.Integer({ description: 'In a row; each doubles the time until the next attempt.' }),
    }),
    type: ['object', 'null'],
    description:
      'Set while the project is not judged, because its detector failed: events are stored, charted and not judged until `retryAt`; then detection is reset.',
  }),
  lateSources: Type.Array(
    Type.Object({
      source: Nullable(Type.String()),
      behindSeconds: Type.Integer(),
      since: Timestamp,
    }),
    {
      description:
        'Sources whose events arrive late by a nearly constant time: their clock is behind, or they deliver late. They are judged by the time of receipt.',
    },
  ),
});
export type RiskState = Static<typeof RiskState>;

export const PreviewQuery = Type.Object({
  budget: Type.Optional(Budget),
  days: Type.Optional(Type.Integer({ minimum: 1, maximum: 30, default: 7 })),
});

/** The incidents that the project's past counts would have opened. */
export const Preview = Type.Object({
  from: Timestamp,
  to: Timestamp,
  budget: Type.Number(),
  incidents: Type.Array(
    Type.Object({
      openedAt: Timestamp,
      resolvedAt: Nullable(Timestamp),
      direction: Type.Enum(['up', 'down']),
      rule: RiskRule,
      series: RiskSeries,
      alsoSeries: Type.Array(RiskSeries, { description: 'What joined, at most 20.' }),
      alsoSeriesCount: Type.Integer({ description: 'How many series joined.' }),
      observed: Type.Number(),
      expected: Type.Number(),
      windowSeconds: Type.Number(),
      severity: Severity,
      sentence: Type.String(),
    }),
  ),
});
export type Preview = Static<typeof Preview>;

/** What was observed and what was expected around an incident. */
export const Points = Type.Object({
  intervalSeconds: Type.Integer(),
  points: Type.Array(
    Type.Object({
      at: Timestamp,
      observed: Type.Number(),
      expected: Nullable(Type.Number({ description: 'Null where nothing was expected yet.' })),
    }),
  ),
});
export type Points = Static<typeof Points>;
