import type {
  NewNotificationRoute,
  NotificationRoute,
  NotificationTarget,
  ProjectRecord,
  Severity,
} from '../../lib/api-types.ts';
import { type FormErrors, toFieldErrors, toFormErrors } from '../../lib/form-errors.ts';
import { nameProjects } from '../../lib/project-name.ts';
import { SEVERITIES } from '../../lib/severity.ts';
import { toOptions } from '../../ui/controls/select.tsx';
import { CheckField, SelectField, TextField } from '../../ui/forms/field.tsx';
import { Form, FormActions, textOf } from '../../ui/forms/form.tsx';
import { useForm } from '../../ui/forms/use-form.ts';
import { Dialog } from '../../ui/layout/dialog.tsx';
import { changeRoute, createRoute, readNotificationsAgain } from './queries.ts';
import { FormPreview } from './route-preview.tsx';
import { texts } from './texts.ts';

const words = texts.routeForm;

type Change = NotificationRoute['changes'][number];

const CHANGES = Object.keys(words.labels) as Change[];
const DEFAULT_CHANGES: readonly Change[] = ['opened', 'worse', 'resolved'];
const NONE = '';

interface RouteFormProps {
  /** Route to change; null for a new one. */
  route: NotificationRoute | null;
  targets: NotificationTarget[];
  projects: ProjectRecord[];
  onClose: () => void;
}

/** Adds or changes a route, with a preview of what it would have sent. The target of a stored route is fixed. */
export function RouteForm({ route, targets, projects, onClose }: RouteFormProps) {
  const { errors, submit, isPending } = useForm({
    mutationFn: (values: NewNotificationRoute) => {
      const { targetId, ...rest } = values;
      return route ? changeRoute({ id: route.id, ...rest }) : createRoute({ targetId, ...rest });
    },
    onSuccess: async () => {
      onClose();
      await readNotificationsAgain();
    },
    check: checkValues,
    toErrors: (error) => toFormErrors(error, ['changes', 'fallbackTargetId', 'maxPerWeek']),
  });
  const targetOptions = targets.map(({ id, name }) => ({ value: id, label: name }));
  const target = targets.find(({ id }) => id === route?.targetId);
  const projectNames = nameProjects(projects);
  const errorOf = (name: string) => errors?.fields.get(name);
  const read = (form: FormData) => readValues(form, route);
  return (
    <Dialog title={route ? words.change : words.title} onClose={onClose}>
      <Form errors={errors} onSubmit={(form) => submit(read(form))}>
        {route ? (
          <p>{words.toTarget(target?.name ?? texts.routes.unknown)}</p>
        ) : (
          <SelectField label={words.target} name="targetId" options={targetOptions} />
        )}
        <SelectField
          label={words.project}
          name="projectId"
          defaultValue={route?.projectId ?? NONE}
          options={[
            { value: NONE, label: texts.routes.allProjects },
            ...projects.map(({ id, name }) => ({ value: id, label: projectNames.get(id) ?? name })),
          ]}
        />
        <SelectField
          label={words.severity}
          name="minSeverity"
          defaultValue={route?.minSeverity ?? 'error'}
          options={toOptions(SEVERITIES)}
        />
        <fieldset className="space-y-1">
          <legend className="mb-1 text-sm font-medium">{words.changes}</legend>
          {CHANGES.map((change, index) => (
            <CheckField
              key={change}
              label={words.labels[change]}
              name={change}
              defaultChecked={(route?.changes ?? DEFAULT_CHANGES).includes(change)}
              error={index === 0 ? errorOf('changes') : undefined}
            />
          ))}
        </fieldset>
        <TextField
          label={words.maxPerWeek}
          name="maxPerWeek"
          inputMode="numeric"
          autoComplete="off"
          hint={words.maxPerWeekHint}
          defaultValue={route?.maxPerWeek ?? ''}
          error={errorOf('maxPerWeek')}
        />
        {targets.length > 1 && (
          <SelectField
            label={words.fallback}
            name="fallbackTargetId"
            hint={words.fallbackHint}
            defaultValue={route?.fallbackTargetId ?? NONE}
            error={errorOf('fallbackTargetId')}
            options={[
              { value: NONE, label: words.noFallback },
              ...targetOptions.filter(({ value }) => value !== route?.targetId),
            ]}
          />
        )}
        <FormPreview read={read} />
        <FormActions submit={route ? words.save : words.add} busy={isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}

/** Reads the form's values. A limit that is no number becomes NaN, which `checkValues` refuses. */
function readValues(form: FormData, route: NotificationRoute | null): NewNotificationRoute {
  const bound = textOf(form, 'maxPerWeek').trim();
  return {
    targetId: route?.targetId ?? textOf(form, 'targetId'),
    fallbackTargetId: textOf(form, 'fallbackTargetId') || null,
    projectId: textOf(form, 'projectId') || null,
    minSeverity: textOf(form, 'minSeverity') as Severity,
    changes: CHANGES.filter((change) => form.has(change)),
    maxPerWeek: bound === '' ? null : Number(bound),
  };
}

function checkValues({
  changes = [],
  targetId,
  fallbackTargetId,
  maxPerWeek = null,
}: NewNotificationRoute): FormErrors | null {
  const isBound = maxPerWeek === null || (Number.isInteger(maxPerWeek) && maxPerWeek > 0);
  return toFieldErrors({
    changes: changes.length === 0 ? words.changesMissing : undefined,
    maxPerWeek: isBound ? undefined : words.noBound,
    fallbackTargetId: fallbackTargetId === targetId ? words.sameFallback : undefined,
  });
}
