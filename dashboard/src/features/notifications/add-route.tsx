import type {
  NewNotificationRoute,
  NotificationRoute,
  NotificationTarget,
  ProjectRecord,
  Severity,
} from '../../lib/api-types.ts';
import { toFieldErrors, toFormErrors } from '../../lib/form-errors.ts';
import { nameProjects } from '../../lib/project-name.ts';
import { SEVERITIES } from '../../lib/severity.ts';
import { Button } from '../../ui/controls/button.tsx';
import { toOptions } from '../../ui/controls/select.tsx';
import { CheckField, SelectField } from '../../ui/forms/field.tsx';
import { Form, textOf } from '../../ui/forms/form.tsx';
import { useForm } from '../../ui/forms/use-form.ts';
import { Dialog, DialogActions } from '../../ui/layout/dialog.tsx';
import { createRoute, readNotificationsAgain } from './queries.ts';
import { texts } from './texts.ts';

const words = texts.addRoute;

type Change = NotificationRoute['changes'][number];

const CHANGES = Object.keys(words.labels) as Change[];
const DEFAULT_CHANGES: readonly Change[] = ['opened', 'worse', 'resolved'];
const NONE = '';

interface AddRouteProps {
  targets: NotificationTarget[];
  projects: ProjectRecord[];
  onClose: () => void;
}

export function AddRoute({ targets, projects, onClose }: AddRouteProps) {
  const { errors, submit, isPending } = useForm({
    mutationFn: createRoute,
    onSuccess: async () => {
      onClose();
      await readNotificationsAgain();
    },
    check: ({ changes = [], targetId, fallbackTargetId }: NewNotificationRoute) =>
      toFieldErrors({
        changes: changes.length === 0 ? words.changesMissing : undefined,
        fallbackTargetId: fallbackTargetId === targetId ? words.sameFallback : undefined,
      }),
    toErrors: (error) => toFormErrors(error, ['changes', 'fallbackTargetId']),
  });
  const targetOptions = targets.map(({ id, name }) => ({ value: id, label: name }));
  const projectNames = nameProjects(projects);
  const submitForm = (form: FormData) =>
    submit({
      targetId: textOf(form, 'targetId'),
      fallbackTargetId: textOf(form, 'fallbackTargetId') || null,
      projectId: textOf(form, 'projectId') || null,
      minSeverity: textOf(form, 'minSeverity') as Severity,
      changes: CHANGES.filter((change) => form.has(change)),
    });
  return (
    <Dialog title={words.title} onClose={onClose}>
      <Form errors={errors} onSubmit={submitForm}>
        <SelectField label={words.target} name="targetId" options={targetOptions} />
        <SelectField
          label={words.project}
          name="projectId"
          options={[
            { value: NONE, label: texts.routes.allProjects },
            ...projects.map(({ id, name }) => ({ value: id, label: projectNames.get(id) ?? name })),
          ]}
        />
        <SelectField
          label={words.severity}
          name="minSeverity"
          defaultValue="error"
          options={toOptions(SEVERITIES)}
        />
        <fieldset className="space-y-1">
          <legend className="mb-1 text-sm font-medium">{words.changes}</legend>
          {CHANGES.map((change, index) => (
            <CheckField
              key={change}
              label={words.labels[change]}
              name={change}
              defaultChecked={DEFAULT_CHANGES.includes(change)}
              error={index === 0 ? errors?.fields.get('changes') : undefined}
            />
          ))}
        </fieldset>
        {targets.length > 1 && (
          <SelectField
            label={words.fallback}
            name="fallbackTargetId"
            hint={words.fallbackHint}
            error={errors?.fields.get('fallbackTargetId')}
            options={[{ value: NONE, label: words.noFallback }, ...targetOptions]}
          />
        )}
        <DialogActions>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button type="submit" variant="primary" busy={isPending}>
            {words.add}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
