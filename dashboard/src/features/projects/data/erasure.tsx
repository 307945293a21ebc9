import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ErasurePreviewRecord, ErasureRecord, ErasureValues } from '../../../lib/api-types.ts';
import { toFieldErrors, toFormErrors } from '../../../lib/form-errors.ts';
import { useIsOwner } from '../../../lib/members/use-is-owner.ts';
import { queryClient } from '../../../lib/queries.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { ConfirmByName } from '../../../ui/forms/confirm-by-name.tsx';
import { CheckField, TextField } from '../../../ui/forms/field.tsx';
import { Form, textOf } from '../../../ui/forms/form.tsx';
import { useForm } from '../../../ui/forms/use-form.ts';
import { Section } from '../../../ui/layout/page.tsx';
import { erasuresQuery, previewErasure, requestErasure } from './erasure-queries.ts';
import { texts } from './erasure-texts.ts';

/** Erases what a user, or another correlation value, has left. */
export function Erasure({ projectId }: { projectId: string }) {
  const isOwner = useIsOwner();
  return (
    <Section title={texts.title}>
      <p className="mb-2 max-w-prose text-text-muted">{isOwner === false ? texts.ownersOnly : texts.hint}</p>
      {isOwner && <NewErasure projectId={projectId} />}
      {isOwner && <Erasures projectId={projectId} />}
    </Section>
  );
}

interface Asked {
  subject: ErasureValues;
  found: ErasurePreviewRecord;
}

function NewErasure({ projectId }: { projectId: string }) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const { errors, submit, isPending } = useForm({
    mutationFn: async (subject: ErasureValues) => ({ subject, found: await previewErasure(subject) }),
    onSuccess: setAsked,
    check: ({ value }) => toFieldErrors({ value: value === '' ? texts.valueMissing : undefined }),
    toErrors: (error) => toFormErrors(error, ['key', 'value']),
  });
  return (
    <>
      <Form
        errors={errors}
        onSubmit={(form) => submit(readSubject(form, projectId))}
        className="max-w-xl space-y-4"
      >
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            label={texts.key}
            hint={texts.keyHint}
            name="key"
            autoComplete="off"
            error={errors?.fields.get('key')}
          />
          <TextField
            label={texts.value}
            name="value"
            autoComplete="off"
            spellCheck="false"
            error={errors?.fields.get('value')}
          />
        </div>
        <CheckField label={texts.everywhere} name="everywhere" />
        <Button type="submit" busy={isPending}>
          {texts.preview}
        </Button>
      </Form>
      {asked && <ConfirmErasure {...asked} projectId={projectId} onClose={() => setAsked(null)} />}
    </>
  );
}

function readSubject(form: FormData, projectId: string): ErasureValues {
  const key = textOf(form, 'key').trim();
  return {
    projectId: form.has('everywhere') ? null : projectId,
    key: key === '' ? null : key,
    value: textOf(form, 'value').trim(),
  };
}

function ConfirmErasure({
  subject,
  found,
  projectId,
  onClose,
}: Asked & { projectId: string; onClose: () => void }) {
  const erasure = useMutation({
    mutationFn: () => requestErasure(subject),
    onSuccess: async () => {
      onClose();
      await queryClient.invalidateQueries(erasuresQuery(projectId));
    },
  });
  return (
    <ConfirmByName
      title={texts.confirmTitle}
      name={subject.value}
      action={texts.erase}
      busy={erasure.isPending}
      error={erasure.error}
      onConfirm={() => erasure.mutate()}
      onClose={onClose}
    >
      <p>{texts.found(found)}</p>
      <p>{texts.consequence}</p>
    </ConfirmByName>
  );
}

function Erasures({ projectId }: { projectId: string }) {
  const { data: erasures = [] } = useQuery(erasuresQuery(projectId));
  return (
    <ul className="mt-4 space-y-4">
      {erasures.map((erasure) => (
        <ErasureItem key={erasure.id} erasure={erasure} />
      ))}
    </ul>
  );
}

function ErasureItem({ erasure }: { erasure: ErasureRecord }) {
  const { state, unreached } = erasure;
  return (
    <li className="rounded-md border border-line p-4">
      <p className="font-medium break-words">{texts.subject(erasure)}</p>
      <p className="text-sm text-text-muted">
        {texts.states[state]} · {texts.progress(erasure)}
      </p>
      <p className="text-sm text-text-muted">{texts.requested(erasure)}</p>
      {unreached.length > 0 && (
        <details className="mt-2 text-sm">
          <summary className="leading-6">{texts.unreached}</summary>
          <ul className="list-disc pl-5">
            {unreached.map((place) => (
              <li key={place.what}>{texts.place(place)}</li>
            ))}
          </ul>
        </details>
      )}
    </li>
  );
}
