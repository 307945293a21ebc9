import { useState } from 'react';
import { MAX_NAME_LENGTH } from '../../../../server/src/http/limits.ts';
import type { OrganizationRecord } from '../../lib/api-types.ts';
import { toFieldErrors, toFormErrors } from '../../lib/form-errors.ts';
import { formatExactTime } from '../../lib/format.ts';
import { Button } from '../../ui/controls/button.tsx';
import { showToast } from '../../ui/feedback/toasts.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { useForm } from '../../ui/forms/use-form.ts';
import { changeOrganization, readAgain } from './queries.ts';
import { texts } from './texts.ts';

const words = texts.organizationForm;

interface OrganizationFormProps {
  organization: OrganizationRecord;
}

/** The form for the name. */
export function OrganizationForm({ organization }: OrganizationFormProps) {
  // Unsaved draft; null while the field follows the organization, which others may change.
  const [draft, setDraft] = useState<string | null>(null);
  const name = draft ?? organization.name;
  const { errors, submit, isPending } = useForm({
    mutationFn: changeOrganization,
    onSuccess: async (_, sent) => {
      await readAgain();
      // Keeps text that was typed meanwhile.
      setDraft((typed) => (typed === sent.name ? null : typed));
      showToast('Saved');
    },
    check: () => toFieldErrors({ name: name.trim() === '' ? 'Enter a name.' : undefined }),
    toErrors: (error) => toFormErrors(error, ['name']),
  });
  return (
    <Form errors={errors} onSubmit={() => submit({ name })} className="max-w-md space-y-4">
      <TextField
        label={words.name}
        value={name}
        maxLength={MAX_NAME_LENGTH}
        autoComplete="organization"
        error={errors?.fields.get('name')}
        onChange={(event) => setDraft(event.target.value)}
      />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button type="submit" busy={isPending}>
          {words.saveChanges}
        </Button>
        <p className="text-sm text-text-muted">
          {words.created} {formatExactTime(organization.createdAt)}
        </p>
      </div>
    </Form>
  );
}
