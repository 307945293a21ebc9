import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { RiskSettings, RiskSettingsChanges } from '../../lib/api-types.ts';
import { type FormErrors, toFormErrors } from '../../lib/form-errors.ts';
import { queryClient } from '../../lib/queries.ts';
import { Button } from '../../ui/controls/button.tsx';
import { showToast } from '../../ui/feedback/toasts.tsx';
import { CheckField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { Section } from '../../ui/layout/page.tsx';
import { changeSettings, settingsQuery } from './queries.ts';
import { RuleList } from './rule-list.tsx';
import { SensitivityField } from './sensitivity-field.tsx';
import { changesOf, checkFormValues, listFieldNames, type SettingsValues } from './settings-values.ts';
import { texts } from './texts.ts';

const words = texts.settings;

interface AlarmSettingsProps {
  projectId: string;
  settings: RiskSettings;
  formValues: SettingsValues;
  onEdit: (formValues: SettingsValues) => void;
  onSaved: () => void;
  errors: FormErrors | null;
  onErrors: (errors: FormErrors | null) => void;
}

/** The form of a project's alarm settings. */
export function AlarmSettings(props: AlarmSettingsProps) {
  const { projectId, settings, formValues, onEdit, onSaved, errors, onErrors } = props;
  const change = useMutation({
    mutationFn: (changes: RiskSettingsChanges) => changeSettings(projectId, changes),
    onSuccess: (changed) => {
      queryClient.setQueryData(settingsQuery(projectId).queryKey, changed);
      onSaved();
      showToast(words.saved);
    },
    onError: (error) => onErrors(toFormErrors(error, listFieldNames(formValues))),
  });
  const submit = () => {
    const wrong = checkFormValues(formValues);
    onErrors(wrong);
    if (!wrong) change.mutate(changesOf(settings, formValues));
  };
  return (
    <Section
      title={words.title}
      actions={
        <Link to="/alerts/watched" className="text-sm leading-6 text-accent hover:underline">
          {texts.watched.title}
        </Link>
      }
    >
      <Form errors={errors} onSubmit={submit} className="space-y-5">
        <SensitivityField
          budget={formValues.budget}
          saved={settings.budget}
          onChange={(budget) => onEdit({ ...formValues, budget })}
        />
        <CheckField
          label={words.newKinds}
          hint={words.newKindsHint}
          checked={formValues.newKinds}
          error={errors?.fields.get('newKinds')}
          onChange={(event) => onEdit({ ...formValues, newKinds: event.target.checked })}
        />
        <RuleList
          projectId={projectId}
          rules={formValues.rules}
          errors={errors}
          onChange={(rules) => onEdit({ ...formValues, rules })}
        />
        <Button type="submit" variant="primary" busy={change.isPending}>
          {words.save}
        </Button>
      </Form>
    </Section>
  );
}
