import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { MAX_QUOTA } from '../../../../../server/src/tenancy/api-keys/limits.ts';
import { request } from '../../../lib/api.ts';
import type { ProjectQuotasRecord, ProjectRecord } from '../../../lib/api-types.ts';
import { toFieldErrors, toFormErrors } from '../../../lib/form-errors.ts';
import { formatCount } from '../../../lib/format.ts';
import { useIsOwner } from '../../../lib/members/use-is-owner.ts';
import { queryClient } from '../../../lib/queries.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { QueryState } from '../../../ui/feedback/states.tsx';
import { showToast } from '../../../ui/feedback/toasts.tsx';
import { SelectField, TextField } from '../../../ui/forms/field.tsx';
import { Form, textOf } from '../../../ui/forms/form.tsx';
import { useForm } from '../../../ui/forms/use-form.ts';
import { Section } from '../../../ui/layout/page.tsx';
import { quotasQuery } from '../queries.ts';
import { QuotaNotes } from '../quota-notes.tsx';
import { texts as projectTexts } from '../texts.ts';
import { texts } from './texts.ts';

const words = texts.quotas;
const NO_LIMIT = words.noLimit(formatCount(MAX_QUOTA));
const LIMIT_NAMES = projectTexts.quotaNotes.limits;

type Quota = ProjectQuotasRecord['quota'];
// Keys of an object of this type.
const LIMITS = Object.keys(LIMIT_NAMES) as (keyof Quota)[];

/** Value of the choice for the limits of the project itself. */
const WHOLE_PROJECT = '';

/** The limits of a project and of its keys. */
export function Quotas({ project: { id } }: { project: ProjectRecord }) {
  const { data: quotas, error, refetch } = useQuery(quotasQuery(id));
  const [keyId, setKeyId] = useState(WHOLE_PROJECT);
  const key = quotas?.keys.find((one) => one.id === keyId);
  return (
    <Section title={words.title}>
      <p className="mb-2 max-w-prose text-text-muted">{words.hint}</p>
      {!quotas && <QueryState query={{ error, refetch }} rows={3} />}
      {quotas && (
        <div className="max-w-xl space-y-4">
          <QuotaNotes projectId={id} />
          <SelectField
            label={words.subject}
            value={key?.id ?? WHOLE_PROJECT}
            onChange={setKeyId}
            options={[
              { value: WHOLE_PROJECT, label: words.wholeProject },
              ...quotas.keys.map(({ id: value, name }) => ({ value, label: words.key(name) })),
            ]}
          />
          <QuotaForm
            key={keyId}
            path={
              key
                ? `/api-keys/${encodeURIComponent(key.id)}/quota`
                : `/projects/${encodeURIComponent(id)}/quotas`
            }
            quota={(key ?? quotas).quota}
            suggested={key ? null : quotas.suggested}
            onSaved={() => queryClient.invalidateQueries(quotasQuery(id))}
          />
        </div>
      )}
    </Section>
  );
}

interface QuotaFormProps {
  path: string;
  quota: Quota;
  suggested: Quota | null;
  onSaved: () => Promise<void>;
}

function QuotaForm({ path, quota, suggested, onSaved }: QuotaFormProps) {
  const isOwner = useIsOwner() === true;
  const { errors, submit, isPending } = useForm({
    mutationFn: (body: Quota) => request<Quota>('PATCH', path, { body }),
    onSuccess: () => {
      showToast(words.saved);
      return onSaved();
    },
    check: (chosen) =>
      toFieldErrors(
        Object.fromEntries(LIMITS.map((name) => [name, isLimit(chosen[name]) ? undefined : NO_LIMIT])),
      ),
    toErrors: (error) => toFormErrors(error, []),
  });
  return (
    <Form errors={errors} onSubmit={(form) => submit(readQuota(form))} className="space-y-4">
      <div className="grid gap-4 sm:grid-cols-3">
        {LIMITS.map((name) => (
          <TextField
            key={name}
            label={LIMIT_NAMES[name]}
            name={name}
            readOnly={!isOwner}
            inputMode="numeric"
            autoComplete="off"
            defaultValue={quota[name] ?? ''}
            hint={hintOf(suggested?.[name] ?? null)}
            error={errors?.fields.get(name)}
          />
        ))}
      </div>
      {isOwner && (
        <Button type="submit" busy={isPending}>
          {words.save}
        </Button>
      )}
    </Form>
  );
}

function isLimit(events: number | null): boolean {
  return events === null || (Number.isInteger(events) && events > 0 && events <= MAX_QUOTA);
}

function hintOf(suggested: number | null): string {
  return suggested === null ? words.none : words.suggested(formatCount(suggested));
}

function readQuota(form: FormData): Quota {
  const [per5Minutes = null, perHour = null, perDay = null] = LIMITS.map((name) => {
    const text = textOf(form, name).replaceAll(/[\s,]/g, '');
    return text === '' ? null : Number(text);
  });
  return { per5Minutes, perHour, perDay };
}
