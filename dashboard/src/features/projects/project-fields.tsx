import type { Environment } from '../../lib/api-types.ts';
import type { Refusal } from '../../lib/refusal.ts';
import { refuseFields } from '../../lib/refusal.ts';
import { SelectField, TextField } from '../../ui/forms/field.tsx';
import { textOf } from '../../ui/forms/form.tsx';
import type { ProjectEntries } from './queries.ts';

const ENVIRONMENTS = ['production', 'staging', 'development'] as const satisfies Environment[];

export const PROJECT_FIELDS = ['name', 'environment'] as const;

interface ProjectFieldsProps {
  refusal: Refusal | null;
  initial?: ProjectEntries;
}

/** What one says about a project, when it is made and later. */
export function ProjectFields({ refusal, initial }: ProjectFieldsProps) {
  return (
    <div className="flex flex-wrap items-start gap-4">
      <TextField
        label="Name"
        name="name"
        className="min-w-0 flex-1 basis-56"
        autoComplete="off"
        defaultValue={initial?.name}
        required
        error={refusal?.fields.get('name')}
      />
      <SelectField
        label="Environment"
        name="environment"
        className="basis-44"
        defaultValue={initial?.environment ?? 'production'}
        error={refusal?.fields.get('environment')}
      >
        {ENVIRONMENTS.map((environment) => (
          <option key={environment} value={environment}>
            {environment}
          </option>
        ))}
      </SelectField>
    </div>
  );
}

export function readProjectEntries(values: FormData): ProjectEntries {
  const environment = textOf(values, 'environment');
  return {
    name: textOf(values, 'name'),
    environment: ENVIRONMENTS.find((known) => known === environment) ?? 'production',
  };
}

export function checkProjectEntries({ name }: ProjectEntries): Refusal | null {
  return refuseFields({ name: name.trim() === '' ? 'Enter a name.' : undefined });
}
