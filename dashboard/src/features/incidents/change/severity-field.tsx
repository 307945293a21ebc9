import type { Severity } from '../../../lib/api-types.ts';
import { SEVERITIES } from '../../../lib/severity.ts';
import { toOptions } from '../../../ui/controls/select.tsx';
import { SelectField } from '../../../ui/forms/field.tsx';
import { texts } from '../texts.ts';

/** The field `severity` of a form. */
export function SeverityField({ initial, error }: { initial: Severity; error: string | undefined }) {
  return (
    <SelectField
      label={texts.change.severity}
      name="severity"
      defaultValue={initial}
      error={error}
      options={toOptions(SEVERITIES)}
    />
  );
}
