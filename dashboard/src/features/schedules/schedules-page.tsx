import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '../../lib/api.ts';
import { describeProject } from '../../lib/project-name.ts';
import { projectsQuery } from '../../lib/queries.ts';
import { Button, buttonClass } from '../../ui/controls/button.tsx';
import { Empty, QueryState } from '../../ui/feedback/states.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { UnknownProject } from '../../ui/layout/unknown-project.tsx';
import { schedulesQuery } from './queries.ts';
import { ScheduleForm } from './schedule-form.tsx';
import { ScheduleTable } from './schedule-table.tsx';
import { texts } from './texts.ts';

/** The scheduled jobs of a project, and their status. */
export function SchedulesPage() {
  const { projectId } = useParams({ from: '/inside/projects/$projectId/schedules' });
  const { data: schedules, error, refetch } = useQuery(schedulesQuery(projectId));
  const { data: projects = [] } = useQuery(projectsQuery);
  const [isCreating, setIsCreating] = useState(false);
  const project = projects.find(({ id }) => id === projectId);
  if (error instanceof ApiError && error.status === 404) return <UnknownProject />;
  const add = (
    <Button variant="primary" onClick={() => setIsCreating(true)}>
      {texts.add}
    </Button>
  );
  return (
    <Page
      title={project ? `${describeProject(project)} · ${texts.title}` : texts.title}
      actions={
        <>
          <Link to="/projects/$projectId" params={{ projectId }} className={buttonClass()}>
            {texts.settings}
          </Link>
          {schedules && schedules.length > 0 && add}
        </>
      }
    >
      {!schedules && <QueryState query={{ error, refetch }} rows={4} />}
      {schedules?.length === 0 && (
        <Empty title={texts.empty.title} action={add}>
          {texts.empty.text}
        </Empty>
      )}
      {schedules && schedules.length > 0 && (
        <>
          <p className="mb-3 max-w-prose text-text-muted">{texts.intro}</p>
          <ScheduleTable schedules={schedules} />
        </>
      )}
      {isCreating && <ScheduleForm {...{ projectId }} schedule={null} onClose={() => setIsCreating(false)} />}
    </Page>
  );
}
