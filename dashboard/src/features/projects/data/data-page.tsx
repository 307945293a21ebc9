import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useIsOwner } from '../../../lib/members/use-is-owner.ts';
import { QueryState } from '../../../ui/feedback/states.tsx';
import { ProjectSubpage } from '../../../ui/layout/project-subpage.tsx';
import { DeadLetters } from '../dead-letters/dead-letters.tsx';
import { projectQuery } from '../queries.ts';
import { Erasure } from './erasure.tsx';
import { Quotas } from './quotas.tsx';
import { Retention } from './retention.tsx';
import { Scrubbing } from './scrubbing.tsx';
import { Storms } from './storms.tsx';
import { texts } from './texts.ts';

/** Page with the choices of a project about the events that it keeps and takes. */
export function DataPage() {
  const { projectId } = useParams({ from: '/inside/projects/$projectId/data' });
  const isOwner = useIsOwner();
  const { data: project, error, refetch } = useQuery(projectQuery(projectId));
  return (
    <ProjectSubpage projectId={projectId} title={texts.title} error={error}>
      {!project && <QueryState query={{ error, refetch }} rows={6} />}
      {project && (
        <div key={project.id}>
          {isOwner === false && <p className="mb-4 max-w-prose text-text-muted">{texts.ownersOnly}</p>}
          <Retention project={project} />
          <Quotas project={project} />
          <Scrubbing project={project} />
          <Storms project={project} />
          <DeadLetters projectId={project.id} />
          <Erasure projectId={project.id} />
        </div>
      )}
    </ProjectSubpage>
  );
}
