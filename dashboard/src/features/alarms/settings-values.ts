import { RULE_EVENTS, RULE_MINUTES } from '../../../../server/src/risk/settings/limits.ts';
import type { CountRule, RiskSettings, RiskSettingsChanges, Severity } from '../../lib/api-types.ts';
import { type FormErrors, toFieldErrors } from '../../lib/form-errors.ts';
import { texts } from './texts.ts';

/** A rule as typed; an empty text matches anything. */
export interface RuleValues {
  /** React key, which stays the same when rules before it are removed. */
  key: number;
  type: string;
  severity: Severity | '';
  source: string;
  events: string;
  minutes: string;
}

/** The settings as typed. */
export interface SettingsValues {
  budget: number;
  rules: RuleValues[];
  newKinds: boolean;
}

export function toFormValues({ budget, rules, newKinds }: RiskSettings): SettingsValues {
  const toRule = ({ type, severity, source, events, minutes }: CountRule, key: number): RuleValues => ({
    key,
    type: type ?? '',
    severity: severity ?? '',
    source: source ?? '',
    events: String(events),
    minutes: String(minutes),
  });
  return { budget, rules: rules.map(toRule), newKinds };
}

/** Appends a rule with default values. */
export function withNewRule(rules: RuleValues[]): RuleValues[] {
  const key = rules.reduce((most, rule) => Math.max(most, rule.key), -1) + 1;
  return [...rules, { key, type: '', severity: 'error', source: '', events: '10', minutes: '5' }];
}

/** Returns the form's values as settings; they must have passed `checkFormValues`. */
export function readFormValues({ budget, rules, newKinds }: SettingsValues): RiskSettings {
  return {
    budget,
    newKinds,
    rules: rules.map(({ type, severity, source, events, minutes }) => ({
      type: type.trim() || null,
      severity: severity || null,
      source: source.trim() || null,
      events: Number(events),
      minutes: Number(minutes),
    })),
  };
}

/** Returns only the changed settings: another user may have changed the others meanwhile. */
export function changesOf(before: RiskSettings, formValues: SettingsValues): RiskSettingsChanges {
  const after = readFormValues(formValues);
  return {
    ...(after.budget !== before.budget && { budget: after.budget }),
    ...(after.newKinds !== before.newKinds && { newKinds: after.newKinds }),
    ...(JSON.stringify(after.rules) !== JSON.stringify(readFormValues(toFormValues(before)).rules) && {
      rules: after.rules,
    }),
  };
}

/** Returns the name of a rule's field as in the service's messages. */
export function nameRuleField(index: number, field: keyof CountRule): string {
  return `rules/${index}/${field}`;
}

const RULE_FIELDS = [
  'type',
  'severity',
  'source',
  'events',
  'minutes',
] as const satisfies (keyof CountRule)[];

export function listFieldNames({ rules }: SettingsValues): string[] {
  return [
    'newKinds',
    ...rules.flatMap((_, index) => RULE_FIELDS.map((field) => nameRuleField(index, field))),
  ];
}

/** Returns the errors of the form's values; null if there are none. */
export function checkFormValues(formValues: SettingsValues): FormErrors | null {
  const messages = formValues.rules.flatMap(({ events, minutes }, index) => [
    [nameRuleField(index, 'events'), checkWhole(events, RULE_EVENTS)],
    [nameRuleField(index, 'minutes'), checkWhole(minutes, RULE_MINUTES)],
  ]);
  return toFieldErrors(Object.fromEntries(messages));
}

function checkWhole(text: string, { min, max }: { min: number; max: number }): string | undefined {
  const number = Number(text);
  const isFine = text.trim() !== '' && Number.isInteger(number) && number >= min && number <= max;
  return isFine ? undefined : texts.settings.wholeBetween(min, max);
}
