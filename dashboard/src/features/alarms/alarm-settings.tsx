import { useMutation } from '@tanstack/react-query';
import type { RiskSettings, RiskSettingsChanges } from '../../lib/api-types.ts';
import { queryClient } from '../../lib/queries.ts';
import { type Refusal, readRefusal } from '../../lib/refusal.ts';
import { Button } from '../../ui/controls/button.tsx';
import { showToast } from '../../ui/feedback/toasts.tsx';
import { CheckField, TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { Section } from '../../ui/layout/page.tsx';
import { changeSettings, settingsQuery } from './queries.ts';
import { RuleList } from './rule-list.tsx';
import { BUDGET, changesOf, checkEntries, listFieldNames, type SettingsEntries } from './settings-entries.ts';

interface AlarmSettingsProps {
  projectId: string;
  settings: RiskSettings;
  entries: SettingsEntries;
  onEdit: (entries: SettingsEntries) => void;
  onSaved: () => void;
  refusal: Refusal | null;
  onRefuse: (refusal: Refusal | null) => void;
}

/** What a project asks of its alarms. */
export function AlarmSettings(props: AlarmSettingsProps) {
  const { projectId, settings, entries, onEdit, onSaved, refusal, onRefuse } = props;
  const change = useMutation({
    mutationFn: (changes: RiskSettingsChanges) => changeSettings(projectId, changes),
    onSuccess: (changed) => {
      queryClient.setQueryData(settingsQuery(projectId).queryKey, changed);
      onSaved();
      showToast('Saved');
    },
    onError: (error) => onRefuse(readRefusal(error, listFieldNames(entries))),
  });
  const submit = () => {
    const wrong = checkEntries(entries);
    onRefuse(wrong);
    if (!wrong) change.mutate(changesOf(settings, entries));
  };
  return (
    <Section title="Sensitivity">
      <Form refusal={refusal} onSubmit={submit} className="space-y-5">
        <TextField
          label="False alarms you’ll accept per week"
          type="number"
          {...BUDGET}
          step="any"
          autoComplete="off"
          className="max-w-md"
          hint="Lower: fewer false alarms, but small or slow problems may be missed. Higher: catches more, with more noise."
          value={entries.budget}
          error={refusal?.fields.get('budget')}
          onChange={(event) => onEdit({ ...entries, budget: event.target.value })}
        />
        <CheckField
          label="Open an incident for errors never seen before"
          hint="Starts after one day of history."
          checked={entries.newKinds}
          error={refusal?.fields.get('newKinds')}
          onChange={(event) => onEdit({ ...entries, newKinds: event.target.checked })}
        />
        <RuleList
          rules={entries.rules}
          refusal={refusal}
          onChange={(rules) => onEdit({ ...entries, rules })}
        />
        <Button type="submit" variant="primary" busy={change.isPending}>
          Save
        </Button>
      </Form>
    </Section>
  );
}
