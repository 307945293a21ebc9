import { MAX_SAMPLE_ABOVE, MIN_SAMPLE_ABOVE } from '../../../../../server/src/tenancy/projects/limits.ts';
import type { ProjectRecord } from '../../../lib/api-types.ts';
import { toFieldErrors, toFormErrors } from '../../../lib/form-errors.ts';
import { formatCount } from '../../../lib/format.ts';
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
const NO_NUMBER = words.noNumber(formatCount(MIN_SAMPLE_ABOVE), formatCount(MAX_SAMPLE_ABOVE));

/** The form for the number of events beyond which samples are kept. */
export function Storms({ project: { id, sampleAbove } }: { project: ProjectRecord }) {
  const isOwner = useIsOwner() === true;
  const { errors, submit, isPending } = useForm({
    mutationFn: (chosen: ProjectRecord['sampleAbove']) => changeProject(id, { sampleAbove: chosen }),
    onSuccess: (changed) => {
      queryClient.setQueryData(projectQuery(id).queryKey, changed);
      showToast(words.saved);
    },
    check: (chosen) => toFieldErrors({ sampleAbove: isLimit(chosen) ? undefined : NO_NUMBER }),
    toErrors: (error) => toFormErrors(error, []),
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

function isLimit(chosen: ProjectRecord['sampleAbove']): boolean {
  if (chosen === null) return true;
  return chosen >= MIN_SAMPLE_ABOVE && chosen <= MAX_SAMPLE_ABOVE && chosen % MIN_SAMPLE_ABOVE === 0;
}

function readNumber(values: FormData): ProjectRecord['sampleAbove'] {
  const text = textOf(values, 'sampleAbove').replaceAll(/[\s,]/g, '');
  return text === '' ? null : Number(text);
}
