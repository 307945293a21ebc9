import type { Severity } from '../../../lib/api-types.ts';
import { SEVERITIES } from '../../../lib/severity.ts';
import { SelectField } from '../../../ui/forms/field.tsx';

/** The field `severity` of a form. */
export function SeverityField({ initial, error }: { initial: Severity; error: string | undefined }) {
  return (
    <SelectField label="Severity" name="severity" defaultValue={initial} error={error}>
      {SEVERITIES.map((severity) => (
        <option key={severity} value={severity}>
          {severity}
        </option>
      ))}
    </SelectField>
  );
}
