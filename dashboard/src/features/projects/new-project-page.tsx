import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { NewProjectRecord } from '../../lib/api-types.ts';
import { toFormErrors } from '../../lib/form-errors.ts';
import { projectsQuery, queryClient } from '../../lib/queries.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { useForm } from '../../ui/forms/use-form.ts';
import { Page } from '../../ui/layout/page.tsx';
import { FirstSteps } from './first-steps.tsx';
import { JoinTeam } from './join-team.tsx';
import { checkProjectValues, PROJECT_FIELDS, ProjectFields, readProjectValues } from './project-fields.tsx';
import { createProject } from './queries.ts';
import { texts } from './texts.ts';

const words = texts.newProjectPage;

/** Creates a project, then shows the first steps until its first event arrives. */
export function NewProjectPage() {
  // Kept only here, in memory: the key must be in no cache and no address.
  const [created, setCreated] = useState<NewProjectRecord | null>(null);
  return created ? <FirstSteps project={created} /> : <NewProject onCreated={setCreated} />;
}

function NewProject({ onCreated }: { onCreated: (project: NewProjectRecord) => void }) {
  const { data: projects } = useQuery(projectsQuery);
  const { errors, submit, isPending } = useForm({
    mutationFn: createProject,
    onSuccess: (project) => {
      void queryClient.invalidateQueries({ queryKey: ['projects'] });
      onCreated(project);
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
