import { type Static, Type } from 'typebox';
import { FieldCondition } from '../../events/field-schema.ts';
import { MAX_SOURCE_LENGTH, MAX_TYPE_LENGTH } from '../../events/limits.ts';
import { NullableSeverity } from '../../events/severity.ts';
import { Nullable } from '../../http/schemas.ts';
import {
  BUDGET,
  MAX_RULE_NAME_LENGTH,
  MAX_RULES,
  RULE_EVENTS,
  RULE_MINUTES,
  RULE_PERCENT,
} from './limits.ts';

export const Budget = Type.Number({
  minimum: BUDGET.min,
  maximum: BUDGET.max,
  description: 'Acceptable false alarms per week.',
});

const RULE = {
  name: Nullable(Type.String({ maxLength: MAX_RULE_NAME_LENGTH, format: 'name' })),
  type: Nullable(Type.String({ minLength: 1, maxLength: MAX_TYPE_LENGTH })),
  severity: NullableSeverity,
  source: Nullable(Type.String({ minLength: 1, maxLength: MAX_SOURCE_LENGTH })),
  field: Type.Unsafe<FieldCondition | null>({ ...FieldCondition, type: ['object', 'null'] }),
  percent: Nullable(
    Type.Number({
      minimum: RULE_PERCENT.min,
      maximum: RULE_PERCENT.max,
      description:
        'Percentage of the events of the type and source that those of the severity and the field must exceed.',
    }),
  ),
  events: Type.Integer({
    minimum: RULE_EVENTS.min,
    maximum: RULE_EVENTS.max,
    description: 'Minimum matching events; with `percent`, minimum events of the type and source.',
  }),
  minutes: Type.Integer({ minimum: RULE_MINUTES.min, maximum: RULE_MINUTES.max }),
};

/** Rule of a project; null matches everything, a severity only itself. */
export const CountRule = Type.Object(RULE);
export type CountRule = Static<typeof CountRule>;

/** A rule in a request, which may leave out what it does not ask for. */
export const RuleInput = Type.Object({
  ...RULE,
  name: Type.Optional(RULE.name),
  field: Type.Optional(RULE.field),
  percent: Type.Optional(RULE.percent),
});
export type RuleInput = Static<typeof RuleInput>;

export const RiskSettings = Type.Object({
  budget: Budget,
  rules: Type.Array(CountRule, { maxItems: MAX_RULES }),
  newKinds: Type.Boolean({
    description: 'True if a new error opens an incident, after a day of history.',
  }),
});
export type RiskSettings = Static<typeof RiskSettings>;

/** A missing field stays as it is. */
export const RiskSettingsPatch = Type.Partial(
  Type.Object({ ...RiskSettings.properties, rules: Type.Array(RuleInput, { maxItems: MAX_RULES }) }),
);
export type RiskSettingsPatch = Static<typeof RiskSettingsPatch>;
