import { useState } from 'react';
import {
  MAX_FIELD_VALUE_LENGTH,
  MAX_SOURCE_LENGTH,
  MAX_TYPE_LENGTH,
} from '../../../../server/src/events/limits.ts';
import {
  MAX_RULE_NAME_LENGTH,
  RULE_EVENTS,
  RULE_MINUTES,
  RULE_PERCENT,
} from '../../../../server/src/risk/settings/limits.ts';
import type { FormErrors } from '../../lib/form-errors.ts';
import { SEVERITIES } from '../../lib/severity.ts';
import { Button } from '../../ui/controls/button.tsx';
import { toOptions } from '../../ui/controls/select.tsx';
import { Icon } from '../../ui/display/icons.tsx';
import { SelectField, TextField } from '../../ui/forms/field.tsx';
import { RulePreview } from './rule-preview.tsx';
import { type FieldOperator, nameRuleField, type RuleField, type RuleValues } from './settings-values.ts';
import { texts } from './texts.ts';

const words = texts.rules;
// Keys of an object of this type.
const OPERATORS = Object.keys(words.operators) as FieldOperator[];

interface RuleFieldsProps {
  projectId: string;
  rule: RuleValues;
  index: number;
  errors: FormErrors | null;
  /** True for a new rule, which takes the focus. */
  hasFocus: boolean;
  onChange: (rule: RuleValues) => void;
  onRemove: () => void;
}

/** One rule: what it matches, the count or share and the window that open an incident, and what it would have opened. */
export function RuleFields({
  projectId,
  rule,
  index,
  errors,
  hasFocus,
  onChange,
  onRemove,
}: RuleFieldsProps) {
  const [isTouched, setTouched] = useState(hasFocus);
  const change = (changed: RuleValues) => {
    setTouched(true);
    onChange(changed);
  };
  const errorOf = (field: RuleField) => errors?.fields.get(nameRuleField(index, field));
  const textField = (name: 'name' | 'type' | 'source' | 'percent' | 'events' | 'minutes') => ({
    value: rule[name],
    error: errorOf(name),
    autoComplete: 'off',
    onChange: ({ target }: { target: { value: string } }) => change({ ...rule, [name]: target.value }),
  });
  return (
    <fieldset className="max-w-4xl min-w-0 border-t border-line py-3">
      <legend className="sr-only">{words.name(index + 1)}</legend>
      <div className="grid grid-cols-2 items-start gap-x-3 gap-y-2 sm:grid-cols-3">
        <TextField
          label={words.ruleName}
          placeholder={words.optional}
          dir="auto"
          maxLength={MAX_RULE_NAME_LENGTH}
          className="sm:col-span-2"
          {...textField('name')}
        />
        <Button
          variant="ghost"
          aria-label={words.removeNamed(index + 1)}
          className="mt-6 justify-self-end"
          onClick={onRemove}
        >
          <Icon name="trash" />
          {words.remove}
        </Button>
        <TextField
          label={words.type}
          placeholder={words.any}
          maxLength={MAX_TYPE_LENGTH}
          autoFocus={hasFocus}
          {...textField('type')}
        />
        <SelectField
          label={words.severity}
          value={rule.severity}
          error={errorOf('severity')}
          onChange={(severity) => change({ ...rule, severity })}
          options={[{ value: '', label: words.any }, ...toOptions(SEVERITIES)]}
        />
        <TextField
          label={words.source}
          placeholder={words.any}
          maxLength={MAX_SOURCE_LENGTH}
          className="col-span-2 sm:col-span-1"
          {...textField('source')}
        />
        <FieldFields {...{ rule, errorOf }} onChange={change} />
        <TextField
          label={words.percent}
          placeholder={words.any}
          type="number"
          step="any"
          {...RULE_PERCENT}
          className="col-span-2 sm:col-span-1 sm:col-start-1"
          {...textField('percent')}
        />
        <TextField label={words.events} type="number" {...RULE_EVENTS} {...textField('events')} />
        <TextField label={words.minutes} type="number" {...RULE_MINUTES} {...textField('minutes')} />
      </div>
      <div className="mt-2 min-h-6 text-sm text-text-muted">
        <RulePreview {...{ projectId, rule, isTouched }} />
      </div>
    </fieldset>
  );
}

type FieldFieldsProps = Pick<RuleFieldsProps, 'rule' | 'onChange'> & {
  errorOf: (field: RuleField) => string | undefined;
};

/** The field of the payload that a rule asks for; its condition and value come with it. */
function FieldFields({ rule, errorOf, onChange }: FieldFieldsProps) {
  const { path, operator, value } = rule;
  const isSet = path.trim() !== '';
  return (
    <>
      <TextField
        label={words.path}
        placeholder={words.any}
        autoComplete="off"
        className="col-span-2 sm:col-span-1"
        value={path}
        error={errorOf('field/path') ?? errorOf('field')}
        onChange={({ target }) => onChange({ ...rule, path: target.value })}
      />
      {isSet && (
        <SelectField
          label={words.condition}
          value={operator}
          onChange={(chosen) => onChange({ ...rule, operator: chosen })}
          options={OPERATORS.map((each) => ({ value: each, label: words.operators[each] }))}
        />
      )}
      {isSet && operator !== 'exists' && (
        <TextField
          label={words.value}
          maxLength={MAX_FIELD_VALUE_LENGTH}
          autoComplete="off"
          value={value}
          error={errorOf('field/value')}
          onChange={({ target }) => onChange({ ...rule, value: target.value })}
        />
      )}
    </>
  );
}
