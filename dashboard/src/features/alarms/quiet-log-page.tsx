import { ProjectAlertsPage } from '../../ui/layout/alerts/project-alerts-page.tsx';
import { Decisions } from './decisions.tsx';
import { texts } from './texts.ts';

/** What was unusual in a project, and the detector's decision about it. */
export function QuietLogPage() {
  return (
    <ProjectAlertsPage title={texts.decisions.title}>
      {(projectId) => <Decisions projectId={projectId} />}
    </ProjectAlertsPage>
  );
}
