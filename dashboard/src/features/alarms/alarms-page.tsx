import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '../../lib/api.ts';
import type { RiskSettings } from '../../lib/api-types.ts';
import { type FormErrors, toFieldErrors } from '../../lib/form-errors.ts';
import { describeProject } from '../../lib/project-name.ts';
import { projectsQuery } from '../../lib/queries.ts';
import { buttonClass } from '../../ui/controls/button.tsx';
import { Failure, Skeleton } from '../../ui/feedback/states.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { UnknownProject } from '../../ui/layout/unknown-project.tsx';
import { AlarmSettings } from './alarm-settings.tsx';
import { Decisions } from './decisions.tsx';
import { PreviewSection } from './preview.tsx';
import { settingsQuery } from './queries.ts';
import { checkBudget, readFormValues, type SettingsValues, toFormValues } from './settings-values.ts';

/** When a project alarms, what that would have come to, and why it did not. */
export function AlarmsPage() {
  const { projectId } = useParams({ from: '/inside/projects/$projectId/alarms' });
  const { data: settings, error, refetch } = useQuery(settingsQuery(projectId));
  const { data: projects } = useQuery(projectsQuery);
  if (error instanceof ApiError && error.status === 404) return <UnknownProject />;
  const project = projects?.find(({ id }) => id === projectId);
  const name = project && describeProject(project);
  return (
    <Page
      title={name === undefined ? 'Alerts' : `${name} · Alerts`}
      actions={
        <>
          <Link to="/projects/$projectId/watched" params={{ projectId }} className={buttonClass()}>
            Watched series
          </Link>
          <Link to="/projects/$projectId" params={{ projectId }} className={buttonClass()}>
            Back to project
          </Link>
        </>
      }
    >
      {settings ? (
        <Alarms key={projectId} {...{ projectId, settings }} />
      ) : error ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton rows={8} />
      )}
    </Page>
  );
}

function Alarms({ projectId, settings }: { projectId: string; settings: RiskSettings }) {
  // The unsaved draft; undefined while the form follows the settings, which others change too.
  const [draft, setDraft] = useState<SettingsValues | null>(null);
  const [errors, setErrors] = useState<FormErrors | null>(null);
  const formValues = draft ?? toFormValues(settings);
  const readBudget = () => {
    const wrong = toFieldErrors({ budget: checkBudget(formValues) });
    setErrors(wrong);
    return wrong ? null : readFormValues(formValues).budget;
  };
  return (
    <>
      <AlarmSettings
        {...{ projectId, settings, formValues, errors }}
        onEdit={setDraft}
        onSaved={() => setDraft(null)}
        onErrors={setErrors}
      />
      <PreviewSection {...{ projectId, readBudget }} />
      <Decisions projectId={projectId} />
    </>
  );
}
