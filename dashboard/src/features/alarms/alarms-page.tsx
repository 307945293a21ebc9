import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { RiskSettings } from '../../lib/api-types.ts';
import type { FormErrors } from '../../lib/form-errors.ts';
import { QueryState } from '../../ui/feedback/states.tsx';
import { ProjectAlertsPage } from '../../ui/layout/alerts/project-alerts-page.tsx';
import { AlarmSettings } from './alarm-settings.tsx';
import { PreviewSection } from './preview.tsx';
import { settingsQuery } from './queries.ts';
import { type SettingsValues, toFormValues } from './settings-values.ts';

/** A project's alert settings, and their preview on past data. */
export function AlarmsPage() {
  return (
    <ProjectAlertsPage>
      {(projectId) => <LoadedAlarms key={projectId} projectId={projectId} />}
    </ProjectAlertsPage>
  );
}

function LoadedAlarms({ projectId }: { projectId: string }) {
  const query = useQuery(settingsQuery(projectId));
  if (!query.data) return <QueryState query={query} rows={8} />;
  return <Alarms {...{ projectId }} settings={query.data} />;
}

function Alarms({ projectId, settings }: { projectId: string; settings: RiskSettings }) {
  // Unsaved draft; null while the form follows the settings, which others may change.
  const [draft, setDraft] = useState<SettingsValues | null>(null);
  const [errors, setErrors] = useState<FormErrors | null>(null);
  const formValues = draft ?? toFormValues(settings);
  return (
    <>
      <AlarmSettings
        {...{ projectId, settings, formValues, errors }}
        onEdit={setDraft}
        onSaved={() => setDraft(null)}
        onErrors={setErrors}
      />
      <PreviewSection projectId={projectId} budget={formValues.budget} />
    </>
  );
}
