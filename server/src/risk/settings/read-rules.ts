import { isDeepStrictEqual } from 'node:util';
import { fieldKey } from '@tocsin/detector';
import { MAX_FIELD_BYTES } from '../../events/limits.ts';
import { ApiError } from '../../platform/errors.ts';
import { MAX_FIELD_RULES } from './limits.ts';
import type { CountRule, RuleInput } from './schema.ts';

/** @throws ApiError `validation_failed` for a rule that makes no sense or is there twice, and for too many about fields */
export function readRules(inputs: RuleInput[]): CountRule[] {
  const rules = inputs.map((input, index) => readRule(input, `/rules/${index}`));
  const repeat = rules.findIndex((rule, index) =>
    rules.slice(0, index).some((earlier) => isDeepStrictEqual(conditionsOf(earlier), conditionsOf(rule))),
  );
  if (repeat !== -1) throw invalid(`/rules/${repeat}`, 'is there already');
  const surplus = rules.flatMap(({ field }, index) => (field ? [index] : []))[MAX_FIELD_RULES];
  if (surplus !== undefined)
    throw invalid(`/rules/${surplus}/field`, `is one of more than ${MAX_FIELD_RULES} rules about fields`);
  return rules;
}

/**
 * Returns a rule without unknown properties.
 * @param pointer place of the rule in the body
 * @throws ApiError `validation_failed`
 */
export function readRule(input: RuleInput, pointer: string): CountRule {
  const { name = null, type, severity, source, field = null, percent = null, events, minutes } = input;
  if (percent !== null && severity === null && field === null)
    throw invalid(`${pointer}/percent`, 'needs a severity or a field, whose events are the share');
  return {
    name: name && name.trim(),
    type,
    severity,
    source,
    field: field && readField(field, `${pointer}/field`),
    percent,
    events,
    minutes,
  };
}

type Field = NonNullable<CountRule['field']>;

function readField({ path, operator, value }: Field, pointer: string): Field {
  if (operator === 'exists') {
    if (value !== null) throw invalid(`${pointer}/value`, 'must be null where the field only has to exist');
  } else if (value === null) throw invalid(`${pointer}/value`, 'must be a text, a number, true or false');
  else if (operator !== 'equals' && operator !== 'not' && typeof value !== 'number')
    throw invalid(`${pointer}/value`, 'must be a number to compare with');
  if (Buffer.byteLength(fieldKey({ path, operator, value })) > MAX_FIELD_BYTES)
    throw invalid(pointer, `is too long: at most ${MAX_FIELD_BYTES} bytes as JSON`);
  return { path, operator, value };
}

/** Everything but the name: two rules that open the same incidents are one. */
function conditionsOf({ name: _name, ...conditions }: CountRule) {
  return conditions;
}

function invalid(pointer: string, message: string): ApiError {
  return new ApiError('validation_failed', `body${pointer} ${message}.`, { fields: [{ pointer, message }] });
}
