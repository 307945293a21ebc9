import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ProjectRecord } from '../../lib/api-types.ts';
import { queryClient } from '../../lib/queries.ts';
import { type Refusal, readRefusal } from '../../lib/refusal.ts';
import { Button } from '../../ui/controls/button.tsx';
import { showToast } from '../../ui/feedback/toasts.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { Section } from '../../ui/layout/page.tsx';
import { checkProjectEntries, PROJECT_FIELDS, ProjectFields, readProjectEntries } from './project-fields.tsx';
import { changeProject, type ProjectEntries, projectQuery } from './queries.ts';

/** Name and environment. */
export function ProjectSettings({ project }: { project: ProjectRecord }) {
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const change = useMutation({
    mutationFn: (entries: ProjectEntries) => changeProject(project.id, entries),
    onSuccess: async (changed) => {
      queryClient.setQueryData(projectQuery(project.id).queryKey, changed);
      await queryClient.invalidateQueries({ queryKey: ['projects'] });
      showToast('Saved');
    },
    onError: (error) => setRefusal(readRefusal(error, PROJECT_FIELDS)),
  });
  const submit = (values: FormData) => {
    const entries = readProjectEntries(values);
    const wrong = checkProjectEntries(entries);
    setRefusal(wrong);
    if (!wrong) change.mutate(entries);
  };
  return (
    <Section title="Settings">
      <Form refusal={refusal} onSubmit={submit} className="max-w-xl space-y-4">
        <ProjectFields refusal={refusal} initial={project} />
        <Button type="submit" busy={change.isPending}>
          Save
        </Button>
      </Form>
    </Section>
  );
}
