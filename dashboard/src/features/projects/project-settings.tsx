import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ProjectRecord } from '../../lib/api-types.ts';
import { type FormErrors, toFormErrors } from '../../lib/form-errors.ts';
import { queryClient } from '../../lib/queries.ts';
import { Button } from '../../ui/controls/button.tsx';
import { showToast } from '../../ui/feedback/toasts.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { Section } from '../../ui/layout/page.tsx';
import { checkProjectValues, PROJECT_FIELDS, ProjectFields, readProjectValues } from './project-fields.tsx';
import { changeProject, type ProjectValues, projectQuery } from './queries.ts';

/** Name and environment. */
export function ProjectSettings({ project }: { project: ProjectRecord }) {
  const [errors, setErrors] = useState<FormErrors | null>(null);
  const change = useMutation({
    mutationFn: (formValues: ProjectValues) => changeProject(project.id, formValues),
    onSuccess: async (changed) => {
      queryClient.setQueryData(projectQuery(project.id).queryKey, changed);
      await queryClient.invalidateQueries({ queryKey: ['projects'] });
      showToast('Saved');
    },
    onError: (error) => setErrors(toFormErrors(error, PROJECT_FIELDS)),
  });
  const submit = (values: FormData) => {
    const formValues = readProjectValues(values);
    const wrong = checkProjectValues(formValues);
    setErrors(wrong);
    if (!wrong) change.mutate(formValues);
  };
  return (
    <Section title="Settings">
      <Form errors={errors} onSubmit={submit} className="max-w-xl space-y-4">
        <ProjectFields errors={errors} initial={project} />
        <Button type="submit" busy={change.isPending}>
          Save
        </Button>
      </Form>
    </Section>
  );
}
