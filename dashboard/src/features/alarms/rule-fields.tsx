import { MAX_SOURCE_LENGTH, MAX_TYPE_LENGTH } from '../../../../server/src/events/limits.ts';
import { RULE_EVENTS, RULE_MINUTES } from '../../../../server/src/risk/settings/limits.ts';
import type { CountRule } from '../../lib/api-types.ts';
import type { FormErrors } from '../../lib/form-errors.ts';
import { SEVERITIES } from '../../lib/severity.ts';
import { Button } from '../../ui/controls/button.tsx';
import { toOptions } from '../../ui/controls/select.tsx';
import { Icon } from '../../ui/display/icons.tsx';
import { SelectField, TextField } from '../../ui/forms/field.tsx';
import { nameRuleField, type RuleValues } from './settings-values.ts';
import { texts } from './texts.ts';

const words = texts.rules;

interface RuleFieldsProps {
  rule: RuleValues;
  index: number;
  errors: FormErrors | null;
  /** True for a new rule, which takes the focus. */
  hasFocus: boolean;
  onChange: (rule: RuleValues) => void;
  onRemove: () => void;
}

/** One rule: what it matches, and the count and the window that open an incident. */
export function RuleFields({ rule, index, errors, hasFocus, onChange, onRemove }: RuleFieldsProps) {
  const errorOf = (field: keyof CountRule) => errors?.fields.get(nameRuleField(index, field));
  const textField = (field: 'type' | 'source' | 'events' | 'minutes') => ({
    value: rule[field],
    error: errorOf(field),
    autoComplete: 'off',
    onChange: ({ target }: { target: { value: string } }) => onChange({ ...rule, [field]: target.value }),
  });
  return (
    <fieldset className="flex min-w-0 flex-wrap items-start gap-x-3 gap-y-2 border-t border-line py-3">
      <legend className="sr-only">{words.name(index + 1)}</legend>
      <TextField
        label={words.type}
        placeholder={words.any}
        maxLength={MAX_TYPE_LENGTH}
        autoFocus={hasFocus}
        className="min-w-0 flex-1 basis-36"
        {...textField('type')}
      />
      <SelectField
        label={words.severity}
        value={rule.severity}
        error={errorOf('severity')}
        className="basis-28"
        onChange={(severity) => onChange({ ...rule, severity })}
        options={[{ value: '', label: words.any }, ...toOptions(SEVERITIES)]}
      />
      <TextField
        label={words.source}
        placeholder={words.any}
        maxLength={MAX_SOURCE_LENGTH}
        className="min-w-0 flex-1 basis-full sm:basis-36"
        {...textField('source')}
      />
      <TextField
        label={words.events}
        type="number"
        {...RULE_EVENTS}
        className="min-w-0 flex-1 basis-32 sm:flex-none sm:basis-28"
        {...textField('events')}
      />
      <TextField
        label={words.minutes}
        type="number"
        {...RULE_MINUTES}
        className="min-w-0 flex-1 basis-32 sm:flex-none sm:basis-28"
        {...textField('minutes')}
      />
      <Button
        variant="ghost"
        aria-label={words.removeNamed(index + 1)}
        className="sm:mt-6"
        onClick={onRemove}
      >
        <Icon name="trash" />
        {words.remove}
      </Button>
    </fieldset>
  );
}
