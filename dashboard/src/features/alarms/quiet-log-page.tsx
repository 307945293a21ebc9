import { ProjectAlertsPage } from '../../ui/layout/alerts/project-alerts-page.tsx';
import { Decisions } from './decisions.tsx';
import { texts } from './texts.ts';

/** The unusual counts of a project, each with the detector's decision. */
export function QuietLogPage() {
  return (
    <ProjectAlertsPage title={texts.decisions.title}>
      {(projectId) => <Decisions projectId={projectId} />}
    </ProjectAlertsPage>
  );
}
