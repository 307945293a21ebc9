import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { ApiError } from '../../../lib/api.ts';
import { describeProject } from '../../../lib/project-name.ts';
import { projectsQuery } from '../../../lib/queries.ts';
import { buttonClass } from '../../../ui/controls/button.tsx';
import { QueryState } from '../../../ui/feedback/states.tsx';
import { Page } from '../../../ui/layout/page.tsx';
import { UnknownProject } from '../../../ui/layout/unknown-project.tsx';
import { FindRequest } from './find-request.tsx';
import { NewestRequests } from './newest-requests.tsx';
import { requestsQuery } from './queries.ts';
import { RequestCounts } from './request-counts.tsx';
import { texts } from './texts.ts';

/** The requests to a project in the last 24 hours, and the search for one of them. */
export function RequestsPage() {
  const { projectId } = useParams({ from: '/inside/projects/$projectId/requests' });
  const { data: requests, error, refetch } = useQuery(requestsQuery(projectId));
  const { data: projects = [] } = useQuery(projectsQuery);
  const project = projects.find(({ id }) => id === projectId);
  if (error instanceof ApiError && error.status === 404) return <UnknownProject />;
  return (
    <Page
      title={project ? `${describeProject(project)} · ${texts.title}` : texts.title}
      actions={
        <Link to="/projects/$projectId" params={{ projectId }} className={buttonClass()}>
          {texts.settings}
        </Link>
      }
    >
      <FindRequest projectId={projectId} />
      {!requests && <QueryState query={{ error, refetch }} rows={6} />}
      {requests && <RequestCounts keys={requests.keys} />}
      {requests && requests.newest.length > 0 && <NewestRequests newest={requests.newest} />}
    </Page>
  );
}
