import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { QueryState } from '../../../ui/feedback/states.tsx';
import { ProjectSubpage } from '../../../ui/layout/project-subpage.tsx';
import { FindRequest } from './find-request.tsx';
import { NewestRequests } from './newest-requests.tsx';
import { requestsQuery } from './queries.ts';
import { RequestCounts } from './request-counts.tsx';
import { texts } from './texts.ts';

/** The requests to a project in the last 24 hours, and the search for one of them. */
export function RequestsPage() {
  const { projectId } = useParams({ from: '/inside/projects/$projectId/requests' });
  const { data: requests, error, refetch } = useQuery(requestsQuery(projectId));
  return (
    <ProjectSubpage projectId={projectId} title={texts.title} error={error}>
      <FindRequest projectId={projectId} />
      {!requests && <QueryState query={{ error, refetch }} rows={6} />}
      {requests && <RequestCounts keys={requests.keys} />}
      {requests && requests.newest.length > 0 && <NewestRequests newest={requests.newest} />}
    </ProjectSubpage>
  );
}
