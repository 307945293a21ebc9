import { useState } from 'react';
import { MAX_NAME_LENGTH } from '../../../../server/src/http/limits.ts';
import type { OrganizationRecord } from '../../lib/api-types.ts';
import { toFieldErrors, toFormErrors } from '../../lib/form-errors.ts';
import { formatExactTime } from '../../lib/format.ts';
import { Button } from '../../ui/controls/button.tsx';
import { showToast } from '../../ui/feedback/toasts.tsx';
import { SelectField, TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { useForm } from '../../ui/forms/use-form.ts';
import { changeOrganization, readAgain } from './queries.ts';
import { texts } from './texts.ts';

const words = texts.organizationForm;

type Plan = OrganizationRecord['plan'];
const PLANS: Record<Plan, string> = { free: 'Free', pro: 'Pro', enterprise: 'Enterprise' };
const PLAN_OPTIONS = (['free', 'pro', 'enterprise'] as const).map((value) => ({
  value,
  label: PLANS[value],
}));

interface OrganizationFormProps {
  organization: OrganizationRecord;
  isOwner: boolean;
}

/** The form for the name and the plan; only owners can change the plan. */
export function OrganizationForm({ organization, isOwner }: OrganizationFormProps) {
  // Unsaved draft; the other fields follow the organization, which others may change.
  const [draft, setDraft] = useState<Partial<Pick<OrganizationRecord, 'name' | 'plan'>>>({});
  const { name, plan } = { ...organization, ...draft };
  const { errors, submit, isPending } = useForm({
    mutationFn: changeOrganization,
    onSuccess: async () => {
      await readAgain();
      setDraft({});
      showToast('Saved');
    },
    check: () => toFieldErrors({ name: name.trim() === '' ? 'Enter a name.' : undefined }),
    toErrors: (error) => toFormErrors(error, ['name']),
  });
  return (
    <Form
      errors={errors}
      onSubmit={() => submit({ name, ...(isOwner && { plan }) })}
      className="max-w-md space-y-4"
    >
      <TextField
        label={words.name}
        value={name}
        maxLength={MAX_NAME_LENGTH}
        autoComplete="organization"
        error={errors?.fields.get('name')}
        onChange={(event) => setDraft({ ...draft, name: event.target.value })}
      />
      {isOwner ? (
        <SelectField
          label={words.plan}
          value={plan}
          onChange={(chosen) => setDraft({ ...draft, plan: chosen })}
          options={PLAN_OPTIONS}
        />
      ) : (
        <dl>
          <dt className="mb-1 text-sm font-semibold">{words.plan}</dt>
          <dd>
            {PLANS[plan]} <span className="text-text-muted">{words.planHint}</span>
          </dd>
        </dl>
      )}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button type="submit" variant="primary" busy={isPending}>
          {words.saveChanges}
        </Button>
        <p className="text-sm text-text-muted">
          {words.created} {formatExactTime(organization.createdAt)}
        </p>
      </div>
    </Form>
  );
}
