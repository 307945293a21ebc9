import { useMutation, useQuery } from '@tanstack/react-query';
import {
  MAX_SECRET_NAME_LENGTH,
  MAX_SECRET_NAMES,
  MIN_SECRET_NAME_LENGTH,
} from '../../../../../server/src/scrubbing/limits.ts';
import type { ProjectRecord } from '../../../lib/api-types.ts';
import { toFieldErrors, toFormErrors } from '../../../lib/form-errors.ts';
import { queryClient } from '../../../lib/queries.ts';
import { SCRUB_RULES, type ScrubRule } from '../../../lib/scrub-rules.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Alert } from '../../../ui/feedback/states.tsx';
import { showToast } from '../../../ui/feedback/toasts.tsx';
import { CheckField, TextField } from '../../../ui/forms/field.tsx';
import { Form, textOf } from '../../../ui/forms/form.tsx';
import { useForm } from '../../../ui/forms/use-form.ts';
import { Section } from '../../../ui/layout/page.tsx';
import { changeProject, previewScrubbing, projectQuery, scrubCountsQuery } from '../queries.ts';
import { ScrubPreview } from './scrub-preview.tsx';
import { texts as previewWords } from './scrub-preview-texts.ts';
import { texts } from './texts.ts';

const words = texts.scrubbing;

type SecretRule = ProjectRecord['scrubbing']['off'][number];
type PersonalRule = ProjectRecord['scrubbing']['personal'][number];

const PERSONAL: readonly PersonalRule[] = ['email', 'ip', 'person'];
// Keys of an object of this type.
const RULES = Object.keys(SCRUB_RULES) as ScrubRule[];
const SECRETS: SecretRule[] = RULES.filter((rule) => !PERSONAL.some((personal) => personal === rule));

/** The form for which secrets are replaced in events. */
export function Scrubbing({ project: { id, scrubbing } }: { project: ProjectRecord }) {
  const { errors, submit, isPending } = useForm({
    mutationFn: (chosen: ProjectRecord['scrubbing']) => changeProject(id, { scrubbing: chosen }),
    onSuccess: (changed) => {
      queryClient.setQueryData(projectQuery(id).queryKey, changed);
      showToast(words.saved);
    },
    check: ({ names, safe }) => toFieldErrors({ further: checkNames(names), safe: checkNames(safe) }),
    toErrors: (error) => toFormErrors(error, []),
  });
  const { data: counts } = useQuery(scrubCountsQuery(id));
  const labelOf = (rule: ScrubRule) =>
    words.count(SCRUB_RULES[rule], counts?.find((count) => count.rule === rule)?.quantity);
  const preview = useMutation({
    mutationFn: (chosen: ProjectRecord['scrubbing']) => previewScrubbing(id, chosen),
  });
  return (
    <Section title={words.title}>
      <p className="mb-2 max-w-prose text-text-muted">{words.hint}</p>
      {/* A change makes the preview one of other choices. */}
      <div onInput={preview.reset}>
        <Form errors={errors} onSubmit={(form) => submit(readChoices(form))} className="max-w-xl space-y-4">
          <TextField
            label={words.further}
            hint={words.furtherHint}
            error={errors?.fields.get('further')}
            name="further"
            autoComplete="off"
            defaultValue={scrubbing.names.join(', ')}
          />
          <TextField
            label={words.safe}
            hint={words.safeHint}
            error={errors?.fields.get('safe')}
            name="safe"
            autoComplete="off"
            defaultValue={scrubbing.safe.join(', ')}
          />
          <fieldset className="grid gap-2 sm:grid-cols-2">
            <legend className="mb-2 font-semibold">{words.secrets}</legend>
            {SECRETS.map((rule) => (
              <CheckField
                key={rule}
                label={labelOf(rule)}
                name={rule}
                defaultChecked={!scrubbing.off.includes(rule)}
              />
            ))}
          </fieldset>
          <fieldset className="grid gap-2 sm:grid-cols-2">
            <legend className="mb-2 font-semibold">{words.personal}</legend>
            <p className="text-sm text-text-muted sm:col-span-2">{words.personalHint}</p>
            {PERSONAL.map((rule) => (
              <CheckField
                key={rule}
                label={labelOf(rule)}
                name={rule}
                defaultChecked={scrubbing.personal.includes(rule)}
              />
            ))}
          </fieldset>
          <div className="flex gap-2">
            <Button type="submit" busy={isPending}>
              {words.save}
            </Button>
            <Button
              busy={preview.isPending}
              onClick={({ currentTarget: { form } }) =>
                form && preview.mutate(readChoices(new FormData(form)))
              }
            >
              {previewWords.preview}
            </Button>
          </div>
        </Form>
      </div>
      {preview.error && <Alert>{preview.error.message}</Alert>}
      {preview.data && <ScrubPreview preview={preview.data} />}
    </Section>
  );
}

function checkNames(names: readonly string[]): string | undefined {
  if (names.length > MAX_SECRET_NAMES) return words.tooMany(MAX_SECRET_NAMES);
  const wrong = names.find(
    (name) =>
      name.length < MIN_SECRET_NAME_LENGTH || name.length > MAX_SECRET_NAME_LENGTH || !/[a-z]/i.test(name),
  );
  return wrong && words.noName(wrong, MIN_SECRET_NAME_LENGTH, MAX_SECRET_NAME_LENGTH);
}

function readChoices(values: FormData): ProjectRecord['scrubbing'] {
  return {
    names: readNames(values, 'further'),
    safe: readNames(values, 'safe'),
    off: SECRETS.filter((rule) => !values.has(rule)),
    personal: PERSONAL.filter((rule) => values.has(rule)),
  };
}

function readNames(values: FormData, field: string): string[] {
  const names = textOf(values, field).split(',');
  return names.map((name) => name.trim()).filter((name) => name !== '');
}
