import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { NewProjectRecord } from '../../lib/api-types.ts';
import { queryClient } from '../../lib/queries.ts';
import { type Refusal, readRefusal } from '../../lib/refusal.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { FirstSteps } from './first-steps.tsx';
import { checkProjectEntries, PROJECT_FIELDS, ProjectFields, readProjectEntries } from './project-fields.tsx';
import { createProject } from './queries.ts';

/** Makes a project, and stays until its first event has come. */
export function NewProjectPage() {
  // Only here, in memory: the key is in no cache and no address.
  const [created, setCreated] = useState<NewProjectRecord | null>(null);
  return created ? <FirstSteps project={created} /> : <NewProject onCreated={setCreated} />;
}

function NewProject({ onCreated }: { onCreated: (project: NewProjectRecord) => void }) {
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const creation = useMutation({
    mutationFn: createProject,
    onSuccess: (project) => {
      void queryClient.invalidateQueries({ queryKey: ['projects'] });
      onCreated(project);
    },
    onError: (error) => setRefusal(readRefusal(error, PROJECT_FIELDS)),
  });
  const submit = (values: FormData) => {
    const entries = readProjectEntries(values);
    const wrong = checkProjectEntries(entries);
    setRefusal(wrong);
    if (!wrong) creation.mutate(entries);
  };
  return (
    <Page title="New project">
      <p className="mb-6 max-w-prose text-text-muted">
        A project is one app in one environment, with its own events, incidents and API keys.
      </p>
      <Form refusal={refusal} onSubmit={submit} className="max-w-xl space-y-4">
        <ProjectFields refusal={refusal} />
        <Button type="submit" variant="primary" busy={creation.isPending}>
          Create project
        </Button>
      </Form>
    </Page>
  );
}
