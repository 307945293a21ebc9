import { type Static, Type } from 'typebox';
import { MAX_SOURCE_LENGTH, MAX_TYPE_LENGTH } from '../../events/limits.ts';
import { NullableSeverity } from '../../events/severity.ts';
import { Nullable } from '../../http/schemas.ts';
import { BUDGET, MAX_RULES, RULE_EVENTS, RULE_MINUTES } from './limits.ts';

export const Budget = Type.Number({
  minimum: BUDGET.min,
  maximum: BUDGET.max,
  description: 'Acceptable false alarms per week.',
});

/** "At least so many matching events in so many minutes"; null matches everything, a severity only itself. */
export const CountRule = Type.Object({
  type: Nullable(Type.String({ minLength: 1, maxLength: MAX_TYPE_LENGTH })),
  severity: NullableSeverity,
  source: Nullable(Type.String({ minLength: 1, maxLength: MAX_SOURCE_LENGTH })),
  events: Type.Integer({ minimum: RULE_EVENTS.min, maximum: RULE_EVENTS.max }),
  minutes: Type.Integer({ minimum: RULE_MINUTES.min, maximum: RULE_MINUTES.max }),
});
export type CountRule = Static<typeof CountRule>;

export const RiskSettings = Type.Object({
  budget: Budget,
  rules: Type.Array(CountRule, { maxItems: MAX_RULES }),
  newKinds: Type.Boolean({
    description: 'True if a new error opens an incident, after a day of history.',
  }),
});
export type RiskSettings = Static<typeof RiskSettings>;

/** A missing field stays as it is. */
export const RiskSettingsPatch = Type.Partial(RiskSettings);
