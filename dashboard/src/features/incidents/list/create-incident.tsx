import { Link, useNavigate } from '@tanstack/react-router';
import { MAX_NAME_LENGTH } from '../../../../../server/src/http/limits.ts';
import type { IncidentCreation, ProjectRecord, Severity } from '../../../lib/api-types.ts';
import { toFieldErrors, toFormErrors } from '../../../lib/form-errors.ts';
import { describeProject } from '../../../lib/project-name.ts';
import { queryClient } from '../../../lib/queries.ts';
import { useScope } from '../../../lib/scope.ts';
import { Button, buttonClass } from '../../../ui/controls/button.tsx';
import { toOptions } from '../../../ui/controls/select.tsx';
import { SelectField, TextField } from '../../../ui/forms/field.tsx';
import { Form, FormActions, textOf } from '../../../ui/forms/form.tsx';
import { useForm } from '../../../ui/forms/use-form.ts';
import { Dialog, DialogActions } from '../../../ui/layout/dialog.tsx';
import { SeverityField } from '../change/severity-field.tsx';
import { createIncident } from '../queries.ts';
import { texts } from '../texts.ts';
import { texts as listTexts } from './texts.ts';

/** The form that creates an incident by hand. */
export function CreateIncident({ projects, onClose }: { projects: ProjectRecord[]; onClose: () => void }) {
  const [{ project }] = useScope();
  const navigate = useNavigate();
  const { errors, submit, isPending } = useForm({
    // By this key the page recognises the news of it as its own (`isOwnCreation`).
    mutationKey: ['incidents', 'create'],
    networkMode: 'always',
    mutationFn: createIncident,
    onSuccess: ({ id }) => {
      void queryClient.invalidateQueries({ queryKey: ['incidents'] });
      void navigate({ to: '/incidents/$incidentId', params: { incidentId: id }, replace: true });
    },
    check: ({ title }) =>
      toFieldErrors({ title: title.trim() === '' ? texts.change.titleMissing : undefined }),
    toErrors: (error) => toFormErrors(error, ['title', 'severity', 'projectId', 'status']),
  });
  if (projects.length === 0) return <NoProject onClose={onClose} />;
  return (
    <Dialog title={listTexts.creation.title} onClose={onClose}>
      <Form errors={errors} onSubmit={(form) => submit(readValues(form))}>
        <TextField
          label={texts.change.title}
          name="title"
          maxLength={MAX_NAME_LENGTH}
          autoComplete="off"
          error={errors?.fields.get('title')}
        />
        <SeverityField initial="error" error={errors?.fields.get('severity')} />
        <SelectField
          label={listTexts.creation.project}
          name="projectId"
          defaultValue={project ?? projects[0]?.id}
          error={errors?.fields.get('projectId')}
          options={projects.map((one) => ({ value: one.id, label: describeProject(one) }))}
        />
        <SelectField
          label={listTexts.creation.status}
          name="status"
          error={errors?.fields.get('status')}
          options={toOptions(['open', 'investigating'])}
        />
        <FormActions submit={listTexts.creation.title} busy={isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}

function readValues(form: FormData): IncidentCreation {
  return {
    title: textOf(form, 'title'),
    severity: textOf(form, 'severity') as Severity,
    projectId: textOf(form, 'projectId'),
    status: textOf(form, 'status') as NonNullable<IncidentCreation['status']>,
  };
}

function NoProject({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={listTexts.creation.title} onClose={onClose}>
      <p>{listTexts.creation.noProject}</p>
      <DialogActions>
        <Button onClick={onClose}>{texts.change.cancel}</Button>
        <Link to="/projects/new" className={buttonClass('primary')}>
          {listTexts.creation.createProject}
        </Link>
      </DialogActions>
    </Dialog>
  );
}
