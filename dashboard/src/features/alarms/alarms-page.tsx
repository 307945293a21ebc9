import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { RiskSettings } from '../../lib/api-types.ts';
import { type FormErrors, toFieldErrors } from '../../lib/form-errors.ts';
import { buttonClass } from '../../ui/controls/button.tsx';
import { AlarmSettings } from './alarm-settings.tsx';
import { Decisions } from './decisions.tsx';
import { PreviewSection } from './preview.tsx';
import { ProjectPage } from './project-page.tsx';
import { settingsQuery } from './queries.ts';
import { checkBudget, readFormValues, type SettingsValues, toFormValues } from './settings-values.ts';
import { texts } from './texts.ts';

/** A project's alert settings, their preview on past data, and the detector's decisions. */
export function AlarmsPage() {
  const { projectId } = useParams({ from: '/inside/projects/$projectId/alarms' });
  const query = useQuery(settingsQuery(projectId));
  return (
    <ProjectPage
      title={texts.title}
      actions={
        <>
          <Link to="/projects/$projectId/watched" params={{ projectId }} className={buttonClass()}>
            {texts.watched.title}
          </Link>
          <Link to="/projects/$projectId" params={{ projectId }} className={buttonClass()}>
            {texts.backToProject}
          </Link>
        </>
      }
      {...{ projectId, query }}
    >
      {(settings) => <Alarms key={projectId} {...{ projectId, settings }} />}
    </ProjectPage>
  );
}

function Alarms({ projectId, settings }: { projectId: string; settings: RiskSettings }) {
  // Unsaved draft; null while the form follows the settings, which others may change.
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
