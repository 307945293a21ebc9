import { useState } from 'react';
import type { ProjectRecord } from '../../lib/api-types.ts';
import { toFormErrors } from '../../lib/form-errors.ts';
import { queryClient } from '../../lib/queries.ts';
import { Button } from '../../ui/controls/button.tsx';
import { showToast } from '../../ui/feedback/toasts.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Form, textOf } from '../../ui/forms/form.tsx';
import { useForm } from '../../ui/forms/use-form.ts';
import { Section } from '../../ui/layout/page.tsx';
import { checkProjectValues, PROJECT_FIELDS, ProjectFields, readProjectValues } from './project-fields.tsx';
import { changeProject, type ProjectValues, projectQuery } from './queries.ts';
import { texts } from './texts.ts';

const words = texts.projectSettings;

/** The form for the name, the environment and the keys of groups. */
export function ProjectSettings({ project }: { project: ProjectRecord }) {
  // Unsaved draft; null while the field follows the prefix, which the service may store in another form.
  const [groupPrefix, setGroupPrefix] = useState<string | null>(null);
  const { errors, submit, isPending } = useForm({
    mutationFn: (formValues: ProjectValues & { groupPrefix: string }) =>
      changeProject(project.id, formValues),
    onSuccess: async (changed, sent) => {
      queryClient.setQueryData(projectQuery(project.id).queryKey, changed);
      // Keeps text that was typed meanwhile.
      setGroupPrefix((typed) => (typed === sent.groupPrefix ? null : typed));
      // Its groups have other keys.
      void queryClient.invalidateQueries({ queryKey: ['groups'] });
      await queryClient.invalidateQueries({ queryKey: ['projects'] });
      showToast('Saved');
    },
    check: checkProjectValues,
    toErrors: (error) => toFormErrors(error, [...PROJECT_FIELDS, 'groupPrefix']),
  });
  return (
    <Section title={words.settings}>
      <Form
        errors={errors}
        onSubmit={(form) => submit({ ...readProjectValues(form), groupPrefix: textOf(form, 'groupPrefix') })}
        className="max-w-xl space-y-4"
      >
        <ProjectFields errors={errors} initial={project} />
        <TextField
          label={words.groupPrefix}
          name="groupPrefix"
          className="sm:max-w-80"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck="false"
          value={groupPrefix ?? project.groupPrefix}
          onChange={(event) => setGroupPrefix(event.target.value)}
          required
          hint={errors?.fields.has('groupPrefix') ? undefined : words.groupPrefixHint(project.groupPrefix)}
          error={errors?.fields.get('groupPrefix')}
        />
        <Button type="submit" busy={isPending}>
          {words.save}
        </Button>
      </Form>
    </Section>
  );
}
