import type { ProjectRecord } from '../../../lib/api-types.ts';
import { toFieldErrors, toFormErrors } from '../../../lib/form-errors.ts';
import { useIsOwner } from '../../../lib/members/use-is-owner.ts';
import { queryClient } from '../../../lib/queries.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { showToast } from '../../../ui/feedback/toasts.tsx';
import { TextField } from '../../../ui/forms/field.tsx';
import { Form, textOf } from '../../../ui/forms/form.tsx';
import { useForm } from '../../../ui/forms/use-form.ts';
import { Section } from '../../../ui/layout/page.tsx';
import { changeProject, projectQuery } from '../queries.ts';
import { texts } from './texts.ts';

const words = texts.storms;

/** The form for the number of events beyond which samples are kept. */
export function Storms({ project: { id, sampleAbove } }: { project: ProjectRecord }) {
  const isOwner = useIsOwner() === true;
  const { errors, submit, isPending } = useForm({
    mutationFn: (chosen: ProjectRecord['sampleAbove']) => changeProject(id, { sampleAbove: chosen }),
    onSuccess: (changed) => {
      queryClient.setQueryData(projectQuery(id).queryKey, changed);
      showToast(words.saved);
    },
    // JSON has no NaN: it would be sent as null, which keeps every event.
    check: (chosen) => toFieldErrors({ sampleAbove: Number.isNaN(chosen) ? words.noNumber : undefined }),
    toErrors: (error) => toFormErrors(error, ['sampleAbove']),
  });
  return (
    <Section title={words.title}>
      <p className="mb-2 max-w-prose text-text-muted">{words.hint}</p>
      <Form errors={errors} onSubmit={(form) => submit(readNumber(form))} className="max-w-xl space-y-4">
        <TextField
          label={words.above}
          hint={words.aboveHint}
          error={errors?.fields.get('sampleAbove')}
          name="sampleAbove"
          readOnly={!isOwner}
          inputMode="numeric"
          autoComplete="off"
          defaultValue={sampleAbove ?? ''}
        />
        {isOwner && (
          <Button type="submit" busy={isPending}>
            {words.save}
          </Button>
        )}
      </Form>
    </Section>
  );
}

function readNumber(values: FormData): ProjectRecord['sampleAbove'] {
  const text = textOf(values, 'sampleAbove').trim();
  return text === '' ? null : Number(text);
}
