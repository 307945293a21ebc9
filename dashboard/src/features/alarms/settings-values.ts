import { MAX_FIELD_DEPTH, MAX_FIELD_KEY_LENGTH } from '../../../../server/src/events/limits.ts';
import { RULE_EVENTS, RULE_MINUTES, RULE_PERCENT } from '../../../../server/src/risk/settings/limits.ts';
import type { CountRule, RiskSettings, RiskSettingsChanges, Severity } from '../../lib/api-types.ts';
import { type FormErrors, toFieldErrors } from '../../lib/form-errors.ts';
import { joinPath, splitPath, toFieldValue } from './field-path.ts';
import { texts } from './texts.ts';

export type FieldOperator = NonNullable<CountRule['field']>['operator'];

/** A rule as typed; an empty text matches anything. */
export interface RuleValues {
  /** React key, which stays the same when rules before it are removed. */
  key: number;
  name: string;
  type: string;
  severity: Severity | '';
  source: string;
  /** Path of the field of the payload; empty: the payload does not matter. */
  path: string;
  operator: FieldOperator;
  value: string;
  percent: string;
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
  const toRule = (rule: CountRule, key: number): RuleValues => ({
    key,
    name: rule.name ?? '',
    type: rule.type ?? '',
    severity: rule.severity ?? '',
    source: rule.source ?? '',
    path: rule.field ? joinPath(rule.field.path) : '',
    operator: rule.field?.operator ?? 'equals',
    value: String(rule.field?.value ?? ''),
    percent: String(rule.percent ?? ''),
    events: String(rule.events),
    minutes: String(rule.minutes),
  });
  return { budget, rules: rules.map(toRule), newKinds };
}

/** Appends a rule with default values. */
export function withNewRule(rules: RuleValues[]): RuleValues[] {
  const key = rules.reduce((most, rule) => Math.max(most, rule.key), -1) + 1;
  const anything = {
    name: '',
    type: '',
    source: '',
    path: '',
    operator: 'equals',
    value: '',
    percent: '',
  } as const;
  return [...rules, { ...anything, key, severity: 'error', events: '10', minutes: '5' }];
}

/** Returns the form's values as settings; they must have passed `checkFormValues`. */
export function readFormValues({ budget, rules, newKinds }: SettingsValues): RiskSettings {
  return { budget, newKinds, rules: rules.map(readRule) };
}

/** Returns a rule as typed; it must have passed `checkRule`. */
export function readRule(rule: RuleValues): CountRule {
  const { severity, path, operator, value, percent, events, minutes } = rule;
  return {
    name: rule.name.trim() || null,
    type: rule.type.trim() || null,
    severity: severity || null,
    source: rule.source.trim() || null,
    field:
      path.trim() === '' ? null : { path: splitPath(path), operator, value: toFieldValue(operator, value) },
    percent: percent.trim() === '' ? null : Number(percent),
    events: Number(events),
    minutes: Number(minutes),
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
export function nameRuleField(index: number, field: RuleField): string {
  return `rules/${index}/${field}`;
}

export type RuleField = (typeof RULE_FIELDS)[number];

const RULE_FIELDS = [
  'name',
  'type',
  'severity',
  'source',
  'field',
  'field/path',
  'field/value',
  'percent',
  'events',
  'minutes',
] as const;

export function listFieldNames({ rules }: SettingsValues): string[] {
  return [
    'newKinds',
    ...rules.flatMap((_, index) => RULE_FIELDS.map((field) => nameRuleField(index, field))),
  ];
}

/** Returns the errors of the form's values; null if there are none. */
export function checkFormValues(formValues: SettingsValues): FormErrors | null {
  const messages = formValues.rules.flatMap((rule, index) => {
    const errors = checkRule(rule);
    return RULE_FIELDS.map((field) => [nameRuleField(index, field), errors[field]] as const);
  });
  return toFieldErrors(Object.fromEntries(messages));
}

/** Returns the errors of a rule by their fields. */
export function checkRule(rule: RuleValues): Partial<Record<RuleField, string | undefined>> {
  const { percent, severity, path } = rule;
  return {
    'field/path': checkPath(path),
    'field/value': checkValue(rule),
    percent: percent.trim() === '' ? undefined : checkPercent(percent, severity !== '' || path.trim() !== ''),
    events: checkWhole(rule.events, RULE_EVENTS),
    minutes: checkWhole(rule.minutes, RULE_MINUTES),
  };
}

function checkPath(path: string): string | undefined {
  if (path.trim() === '') return undefined;
  const keys = splitPath(path);
  const isFine =
    keys.length <= MAX_FIELD_DEPTH && keys.every((key) => key !== '' && key.length <= MAX_FIELD_KEY_LENGTH);
  return isFine ? undefined : texts.rules.wrongPath(MAX_FIELD_DEPTH);
}

function checkValue({ path, operator, value }: RuleValues): string | undefined {
  if (path.trim() === '' || (operator !== 'greater' && operator !== 'less')) return undefined;
  return value.trim() !== '' && Number.isFinite(Number(value)) ? undefined : texts.rules.enterNumber;
}

function checkPercent(text: string, hasPart: boolean): string | undefined {
  const percent = Number(text);
  const { min, max } = RULE_PERCENT;
  if (!(percent >= min && percent <= max)) return texts.rules.percentBetween(min, max);
  return hasPart ? undefined : texts.rules.shareOfWhat;
}

function checkWhole(text: string, { min, max }: { min: number; max: number }): string | undefined {
  const number = Number(text);
  const isFine = text.trim() !== '' && Number.isInteger(number) && number >= min && number <= max;
  return isFine ? undefined : texts.settings.wholeBetween(min, max);
}
