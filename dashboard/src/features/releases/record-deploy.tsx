import { useState } from 'react';
import { MAX_ENVIRONMENT_LENGTH } from '../../../../server/src/environments/fold-environment.ts';
import { MAX_RELEASE_LENGTH } from '../../../../server/src/releases/limits.ts';
import type { ProjectRecord } from '../../lib/api-types.ts';
import { toFieldErrors, toFormErrors } from '../../lib/form-errors.ts';
import { describeProject } from '../../lib/project-name.ts';
import { queryClient } from '../../lib/queries.ts';
import { showToast } from '../../ui/feedback/toasts.tsx';
import { SelectField, TextField } from '../../ui/forms/field.tsx';
import { Form, FormActions, textOf } from '../../ui/forms/form.tsx';
import { useForm } from '../../ui/forms/use-form.ts';
import { Dialog } from '../../ui/layout/dialog.tsx';
import { type DeployValues, recordDeploy } from './queries.ts';
import { texts } from './texts.ts';

interface RecordDeployProps {
  projects: ProjectRecord[];
  project: string | undefined;
  onClose: () => void;
}

/** Records a deploy that no pipeline has reported. */
export function RecordDeploy({ projects, project, onClose }: RecordDeployProps) {
  const { dialog } = texts;
  const [chosen, choose] = useState(project ?? projects[0]?.id);
  const own = projects.find(({ id }) => id === chosen)?.environment;
  const { errors, submit, isPending } = useForm({
    mutationFn: recordDeploy,
    onSuccess: ({ release }) => {
      void queryClient.invalidateQueries({ queryKey: ['releases'] });
      showToast(dialog.recorded(release));
      onClose();
    },
    check: ({ release }) => toFieldErrors({ release: release.trim() === '' ? dialog.noRelease : undefined }),
    toErrors: (error) => toFormErrors(error, ['release', 'environment', 'at']),
  });
  return (
    <Dialog title={dialog.title} onClose={onClose}>
      <Form errors={errors} onSubmit={(form) => submit(readValues(form))}>
        <SelectField
          label={dialog.project}
          name="project"
          value={chosen}
          onChange={choose}
          options={projects.map((one) => ({ value: one.id, label: describeProject(one) }))}
        />
        <TextField
          label={dialog.release}
          name="release"
          hint={dialog.releaseHint}
          maxLength={MAX_RELEASE_LENGTH}
          autoComplete="off"
          spellCheck="false"
          error={errors?.fields.get('release')}
        />
        <TextField
          label={dialog.environment}
          name="environment"
          hint={own && dialog.environmentHint(own)}
          maxLength={MAX_ENVIRONMENT_LENGTH}
          autoComplete="off"
          spellCheck="false"
          error={errors?.fields.get('environment')}
        />
        <TextField
          label={dialog.at}
          name="at"
          type="datetime-local"
          hint={dialog.atHint}
          error={errors?.fields.get('at')}
        />
        <FormActions submit={dialog.save} busy={isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}

function readValues(form: FormData): DeployValues {
  const at = textOf(form, 'at');
  const environment = textOf(form, 'environment').trim();
  return {
    project: textOf(form, 'project'),
    release: textOf(form, 'release').trim(),
    ...(environment !== '' && { environment }),
    // The browser's field has no zone: its value is in the browser's time zone.
    ...(at !== '' && { at: new Date(at).toISOString() }),
  };
}
