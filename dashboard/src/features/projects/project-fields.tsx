import type { Environment } from '../../lib/api-types.ts';
import type { FormErrors } from '../../lib/form-errors.ts';
import { toFieldErrors } from '../../lib/form-errors.ts';
import { toOptions } from '../../ui/controls/select.tsx';
import { SelectField, TextField } from '../../ui/forms/field.tsx';
import { textOf } from '../../ui/forms/form.tsx';
import type { ProjectValues } from './queries.ts';
import { texts } from './texts.ts';

const words = texts.projectFields;

const ENVIRONMENTS = ['production', 'staging', 'development'] as const satisfies Environment[];

export const PROJECT_FIELDS = ['name', 'environment'] as const;

interface ProjectFieldsProps {
  errors: FormErrors | null;
  initial?: ProjectValues;
}

/** The fields of a project, for the forms that create and edit it. */
export function ProjectFields({ errors, initial }: ProjectFieldsProps) {
  return (
    <div className="flex flex-wrap items-start gap-4">
      <TextField
        label={words.name}
        name="name"
        className="min-w-0 flex-1 basis-56"
        autoComplete="off"
        defaultValue={initial?.name}
        required
        error={errors?.fields.get('name')}
      />
      <SelectField
        label={words.environment}
        name="environment"
        className="basis-44"
        defaultValue={initial?.environment ?? 'production'}
        error={errors?.fields.get('environment')}
        options={toOptions(ENVIRONMENTS)}
      />
    </div>
  );
}

export function readProjectValues(values: FormData): ProjectValues {
  const environment = textOf(values, 'environment');
  return {
    name: textOf(values, 'name'),
    environment: ENVIRONMENTS.find((known) => known === environment) ?? 'production',
  };
}

export function checkProjectValues({ name }: ProjectValues): FormErrors | null {
  return toFieldErrors({ name: name.trim() === '' ? 'Enter a name.' : undefined });
}
