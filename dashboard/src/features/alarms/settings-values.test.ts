import { describe, expect, it } from 'vitest';
import type { RiskSettings } from '../../lib/api-types.ts';
import {
  changesOf,
  checkFormValues,
  listFieldNames,
  readFormValues,
  type SettingsValues,
  toFormValues,
  withNewRule,
} from './settings-values.ts';

const settings: RiskSettings = {
  budget: 0.5,
  rules: [
    { type: null, severity: 'critical', source: null, events: 1, minutes: 1 },
    { type: 'checkout', severity: null, source: 'shop', events: 20, minutes: 5 },
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
  ])('reports a rule with %j at its field', (texts, field, message) => {
    expect(wrongIn(withRule(texts))).toEqual({ [field]: message });
  });

  it('shows an error message for every field of the settings', () => {
    expect(listFieldNames(formValues)).toContain('rules/1/source');
    expect(listFieldNames(formValues)).toHaveLength(11);
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
