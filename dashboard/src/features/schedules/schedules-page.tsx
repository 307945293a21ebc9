import { useQuery } from '@tanstack/react-query';
import { schedulesQuery } from '../../lib/schedules/schedule-queries.ts';
import { useCreate } from '../../lib/search/use-create.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Empty, QueryState } from '../../ui/feedback/states.tsx';
import { ProjectAlertsPage } from '../../ui/layout/alerts/project-alerts-page.tsx';
import { ScheduleForm } from './schedule-form.tsx';
import { ScheduleTable } from './schedule-table.tsx';
import { texts } from './texts.ts';

/** The scheduled jobs of a project, and their status. */
export function SchedulesPage() {
  return (
    <ProjectAlertsPage title={texts.title}>
      {(projectId) => <Schedules key={projectId} projectId={projectId} />}
    </ProjectAlertsPage>
  );
}

function Schedules({ projectId }: { projectId: string }) {
  const query = useQuery(schedulesQuery(projectId));
  const schedules = query.data;
  const [isCreating, setCreating] = useCreate();
  const add = (
    <Button variant="primary" onClick={() => setCreating(true)}>
      {texts.add}
    </Button>
  );
  return (
    <>
      {!schedules && <QueryState query={query} rows={4} />}
      {schedules?.length === 0 && (
        <Empty sign="clock" title={texts.empty.title} action={add}>
          {texts.empty.text}
        </Empty>
      )}
      {schedules && schedules.length > 0 && (
        <>
          <div className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-2">
            <p className="min-w-0 flex-1 basis-64 text-text-muted">{texts.intro}</p>
            {add}
          </div>
          <ScheduleTable schedules={schedules} />
        </>
      )}
      {isCreating && <ScheduleForm {...{ projectId }} schedule={null} onClose={() => setCreating(false)} />}
    </>
  );
}
