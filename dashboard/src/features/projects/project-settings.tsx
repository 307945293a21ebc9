import type { ProjectRecord } from '../../lib/api-types.ts';
import { toFormErrors } from '../../lib/form-errors.ts';
import { queryClient } from '../../lib/queries.ts';
import { Button } from '../../ui/controls/button.tsx';
import { showToast } from '../../ui/feedback/toasts.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { useForm } from '../../ui/forms/use-form.ts';
import { Section } from '../../ui/layout/page.tsx';
import { checkProjectValues, PROJECT_FIELDS, ProjectFields, readProjectValues } from './project-fields.tsx';
import { changeProject, type ProjectValues, projectQuery } from './queries.ts';
import { texts } from './texts.ts';

const words = texts.projectSettings;

/** The form for the name and the environment. */
export function ProjectSettings({ project }: { project: ProjectRecord }) {
  const { errors, submit, isPending } = useForm({
    mutationFn: (formValues: ProjectValues) => changeProject(project.id, formValues),
    onSuccess: async (changed) => {
      queryClient.setQueryData(projectQuery(project.id).queryKey, changed);
      await queryClient.invalidateQueries({ queryKey: ['projects'] });
      showToast('Saved');
    },
    check: checkProjectValues,
    toErrors: (error) => toFormErrors(error, PROJECT_FIELDS),
  });
  return (
    <Section title={words.settings}>
      <Form
        errors={errors}
        onSubmit={(form) => submit(readProjectValues(form))}
        className="max-w-xl space-y-4"
      >
        <ProjectFields errors={errors} initial={project} />
        <Button type="submit" busy={isPending}>
          {words.save}
        </Button>
      </Form>
    </Section>
  );
}
