import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { toFormErrors } from '../../lib/form-errors.ts';
import { projectsQuery, queryClient } from '../../lib/queries.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { useForm } from '../../ui/forms/use-form.ts';
import { Page } from '../../ui/layout/page.tsx';
import { JoinTeam } from './join-team.tsx';
import { checkProjectValues, PROJECT_FIELDS, ProjectFields, readProjectValues } from './project-fields.tsx';
import { createProject, newestKeyQuery, projectQuery } from './queries.ts';
import { texts } from './texts.ts';

const words = texts.newProjectPage;

/** Creates a project, and leads to its first steps. */
export function NewProjectPage() {
  const { data: projects } = useQuery(projectsQuery);
  const navigate = useNavigate();
  const { errors, submit, isPending } = useForm({
    mutationFn: createProject,
    onSuccess: async ({ apiKey: rawKey, dsn, ...project }) => {
      queryClient.setQueryData(newestKeyQuery(project.id).queryKey, { rawKey, dsn });
      queryClient.setQueryData(projectQuery(project.id).queryKey, project);
      void queryClient.invalidateQueries({ queryKey: projectsQuery.queryKey, exact: true });
      await navigate({ to: '/projects/$projectId/start', params: { projectId: project.id }, replace: true });
    },
    check: checkProjectValues,
    toErrors: (error) => toFormErrors(error, PROJECT_FIELDS),
  });
  return (
    <Page title={words.newProject}>
      <p className="mb-6 max-w-prose text-text-muted">{words.hint}</p>
      <Form
        errors={errors}
        onSubmit={(form) => submit(readProjectValues(form))}
        className="mb-8 max-w-xl space-y-4"
      >
        <ProjectFields errors={errors} />
        <Button type="submit" variant="primary" busy={isPending}>
          {words.createProject}
        </Button>
      </Form>
      {projects?.length === 0 && <JoinTeam />}
    </Page>
  );
}
