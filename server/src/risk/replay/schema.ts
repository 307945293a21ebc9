import { type Static, Type } from 'typebox';
import { Severity } from '../../events/severity.ts';
import { Nullable, Timestamp } from '../../http/schemas.ts';
import { RiskRule, RiskSeries, RuleName } from '../../incidents/evidence-schema.ts';
import { Budget } from '../settings/schema.ts';

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
      ruleName: RuleName,
      series: RiskSeries,
      alsoSeries: Type.Array(RiskSeries, { description: 'Series that joined, at most 20.' }),
      alsoSeriesCount: Type.Integer({ description: 'Number of series that joined.' }),
      observed: Type.Number(),
      expected: Type.Number(),
      windowSeconds: Type.Number(),
      severity: Severity,
      sentence: Type.String(),
    }),
  ),
});
export type Preview = Static<typeof Preview>;

/** When a rule would have opened an incident. */
export const RulePreview = Type.Object({
  from: Timestamp,
  to: Timestamp,
  events: Nullable(
    Type.Integer({
      description:
        'Newest events of the type, severity and source that were read, at most 20,000: `from` says how far back. Null: counts answered, for all events.',
    }),
  ),
  opened: Type.Integer({ description: 'Number of times that the rule would have opened an incident.' }),
  openings: Type.Array(
    Type.Object({
      openedAt: Timestamp,
      closedAt: Nullable(Timestamp),
      sentence: Type.String(),
    }),
    { description: 'The newest of them, at most 50, newest first.' },
  ),
});
export type RulePreview = Static<typeof RulePreview>;

/** Observed and expected counts around an incident. */
export const Points = Type.Object({
  intervalSeconds: Type.Integer(),
  points: Type.Array(
    Type.Object({
      at: Timestamp,
      observed: Type.Number(),
      expected: Nullable(Type.Number({ description: 'Null where nothing was expected yet.' })),
    }),
  ),
  running: Type.Optional(
    Type.Object(
      { at: Timestamp, observed: Type.Number() },
      { description: 'The interval that is not over, as far as it is counted; only of an open incident.' },
    ),
  ),
  attached: Type.Optional(
    Type.Array(Type.Object({ ...RiskSeries.properties, observed: Type.Array(Type.Number()) }), {
      description: 'The same intervals of attached series, at most 8; of failed payments, how many of 100.',
    }),
  ),
});
export type Points = Static<typeof Points>;
