import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { IncidentCreation, ProjectRecord, Severity } from '../../../lib/api-types.ts';
import { type FormErrors, toFieldErrors, toFormErrors } from '../../../lib/form-errors.ts';
import { describeProject } from '../../../lib/project-name.ts';
import { queryClient } from '../../../lib/queries.ts';
import { useScope } from '../../../lib/scope.ts';
import { Button, buttonClass } from '../../../ui/controls/button.tsx';
import { SelectField, TextField } from '../../../ui/forms/field.tsx';
import { Form, textOf } from '../../../ui/forms/form.tsx';
import { Dialog, DialogActions } from '../../../ui/layout/dialog.tsx';
import { createIncident } from '../queries.ts';
import { SeverityField } from './severity-field.tsx';

/** An incident that no count has noticed: somebody says so. */
export function CreateIncident({ projects, onClose }: { projects: ProjectRecord[]; onClose: () => void }) {
  const [{ project }] = useScope();
  const navigate = useNavigate();
  const [errors, setErrors] = useState<FormErrors | null>(null);
  const creation = useMutation({
    // By this key the page knows the news of it for its own.
    mutationKey: ['incidents', 'create'],
    networkMode: 'always',
    mutationFn: createIncident,
    onSuccess: ({ id }) => {
      void queryClient.invalidateQueries({ queryKey: ['incidents'] });
      void navigate({ to: '/incidents/$incidentId', params: { incidentId: id }, replace: true });
    },
    onError: (error) => setErrors(toFormErrors(error, ['title', 'severity', 'projectId', 'status'])),
  });
  const submit = (values: FormData) => {
    const title = textOf(values, 'title');
    const invalid = toFieldErrors({
      title: title.trim() === '' ? 'Give the incident a title.' : undefined,
    });
    setErrors(invalid);
    if (invalid) return;
    creation.mutate({
      title,
      severity: textOf(values, 'severity') as Severity,
      projectId: textOf(values, 'projectId'),
      status: textOf(values, 'status') as NonNullable<IncidentCreation['status']>,
    });
  };
  if (projects.length === 0) return <NoProject onClose={onClose} />;
  return (
    <Dialog title="Create incident" onClose={onClose}>
      <Form errors={errors} onSubmit={submit}>
        <TextField
          label="Title"
          name="title"
          maxLength={200}
          autoComplete="off"
          error={errors?.fields.get('title')}
        />
        <SeverityField initial="error" error={errors?.fields.get('severity')} />
        <SelectField
          label="Project"
          name="projectId"
          defaultValue={project ?? projects[0]?.id}
          error={errors?.fields.get('projectId')}
        >
          {projects.map((project) => (
            <option key={project.id} value={project.id}>
              {describeProject(project)}
            </option>
          ))}
        </SelectField>
        <SelectField label="Status" name="status" defaultValue="open" error={errors?.fields.get('status')}>
          <option value="open">open</option>
          <option value="investigating">investigating</option>
        </SelectField>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={creation.isPending}>
            Create incident
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

function NoProject({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Create incident" onClose={onClose}>
      <p>Incidents belong to a project, and you don’t have one yet.</p>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Link to="/projects/new" className={buttonClass('primary')}>
          Create project
        </Link>
      </DialogActions>
    </Dialog>
  );
}
