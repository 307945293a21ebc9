import { describe, expect, it } from 'vitest';
import type { RiskSettings } from '../../lib/api-types.ts';
import { joinPath, splitPath } from './field-path.ts';
import {
  changesOf,
  checkFormValues,
  listFieldNames,
  readFormValues,
  type SettingsValues,
  toFormValues,
  withNewRule,
} from './settings-values.ts';

const PLAIN = { name: null, type: null, severity: null, source: null, field: null, percent: null };
const settings: RiskSettings = {
  budget: 0.5,
  rules: [
    { ...PLAIN, severity: 'critical', events: 1, minutes: 1 },
    { ...PLAIN, type: 'checkout', source: 'shop', events: 20, minutes: 5 },
    {
      ...PLAIN,
      name: 'Payments fail',
      field: { path: ['a.b', 'c'], operator: 'greater', value: 1.5 },
      percent: 5,
      events: 20,
      minutes: 10,
    },
  ],
  newKinds: true,
};
const formValues = toFormValues(settings);

/** The values with other texts in the second rule. */
function withRule(texts: Partial<SettingsValues['rules'][number]>): SettingsValues {
  return {
    ...formValues,
    rules: formValues.rules.map((rule, index) => (index === 1 ? { ...rule, ...texts } : rule)),
  };
}

describe('form values of alarm settings', () => {
  it('reads the settings back from the fields', () => {
    expect(readFormValues(formValues)).toEqual(settings);
  });

  it('reads an empty or blank field as anything', () => {
    expect(readFormValues(withRule({ type: ' ', source: '' })).rules[1]).toMatchObject({
      type: null,
      source: null,
    });
  });

  it.each([
    ['status', ['status']],
    ['customer.plan', ['customer', 'plan']],
    [String.raw`a\.b.c`, ['a.b', 'c']],
    [String.raw`a\\.b`, ['a\\', 'b']],
    [String.raw`a\b`, [String.raw`a\b`]],
    ['__proto__.x', ['__proto__', 'x']],
  ])('reads the path %s, and writes it again', (path, keys) => {
    const [, rule] = readFormValues(withRule({ path })).rules;
    expect(rule?.field?.path).toEqual(keys);
    expect(splitPath(joinPath(keys))).toEqual(keys);
  });

  it.each([
    ['500', 500],
    ['1.50', '1.50'],
    ['failed', 'failed'],
    ['NaN', 'NaN'],
    ['', ''],
  ])('reads the value %j as it is written', (value, read) => {
    const [, rule] = readFormValues(withRule({ path: 'a', value })).rules;
    expect(rule?.field?.value).toBe(read);
  });

  it('trims the text of a field', () => {
    expect(readFormValues(withRule({ type: ' mail ' })).rules[1]?.type).toBe('mail');
  });
});

describe('the changes to send', () => {
  it('sends only the fields that were touched', () => {
    expect(changesOf(settings, formValues)).toEqual({});
    expect(changesOf(settings, { ...formValues, budget: 2 })).toEqual({ budget: 2 });
    expect(changesOf(settings, { ...formValues, newKinds: false })).toEqual({ newKinds: false });
    expect(changesOf(settings, { ...formValues, rules: [] })).toEqual({ rules: [] });
  });

  it('sends no rule whose fields merely came in another order', () => {
    const [first] = settings.rules;
    const { minutes, ...rest } = first ?? { minutes: 1 };
    const sameRule = { minutes, ...rest } as RiskSettings['rules'][number];
    const same = { ...settings, rules: [sameRule, ...settings.rules.slice(1)] };
    expect(changesOf(same, toFormValues(same))).toEqual({});
  });
});

describe('the check of form values', () => {
  const wrongIn = (typed: SettingsValues) => Object.fromEntries(checkFormValues(typed)?.fields ?? []);

  it('finds nothing wrong in settings that the service sent', () => {
    expect(checkFormValues(formValues)).toBeNull();
  });

  it.each([
    [{ events: '0' }, 'rules/1/events', 'Enter a whole number from 1 to 1,000,000.'],
    [{ events: '1.5' }, 'rules/1/events', 'Enter a whole number from 1 to 1,000,000.'],
    [{ events: '' }, 'rules/1/events', 'Enter a whole number from 1 to 1,000,000.'],
    [{ minutes: '1441' }, 'rules/1/minutes', 'Enter a whole number from 1 to 1,440.'],
    [{ percent: '0', path: 'a' }, 'rules/1/percent', 'Enter a number from 0.1 to 99.9.'],
    [{ percent: 'five', path: 'a' }, 'rules/1/percent', 'Enter a number from 0.1 to 99.9.'],
    [{ percent: '5' }, 'rules/1/percent', 'Choose a severity or a payload field, too.'],
    [
      { path: 'a.b.c.d' },
      'rules/1/field/path',
      'Enter up to 3 keys with dots between, such as customer.plan.',
    ],
    [{ path: 'a..b' }, 'rules/1/field/path', 'Enter up to 3 keys with dots between, such as customer.plan.'],
    [{ path: 'a', operator: 'greater', value: 'x' }, 'rules/1/field/value', 'Enter a number.'],
  ] as const)('reports a rule with %j at its field', (texts, field, message) => {
    expect(wrongIn(withRule(texts))).toEqual({ [field]: message });
  });

  it('shows an error message for every field of the settings', () => {
    expect(listFieldNames(formValues)).toContain('rules/1/source');
    expect(listFieldNames(formValues)).toHaveLength(31);
  });
});

describe('a new rule', () => {
  it('gives a new rule a unique key, whatever rules exist', () => {
    const [, second] = formValues.rules;
    const keys = withNewRule(second ? [second] : []).map(({ key }) => key);
    expect(new Set(keys).size).toBe(2);
    expect(withNewRule([])).toHaveLength(1);
  });

  it('makes a new rule that the service accepts', () => {
    expect(checkFormValues({ ...formValues, rules: withNewRule([]) })).toBeNull();
  });
});
