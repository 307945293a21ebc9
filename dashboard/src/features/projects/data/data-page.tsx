import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { ApiError } from '../../../lib/api.ts';
import { useIsOwner } from '../../../lib/members/use-is-owner.ts';
import { describeProject } from '../../../lib/project-name.ts';
import { buttonClass } from '../../../ui/controls/button.tsx';
import { QueryState } from '../../../ui/feedback/states.tsx';
import { Page } from '../../../ui/layout/page.tsx';
import { UnknownProject } from '../../../ui/layout/unknown-project.tsx';
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
  if (error instanceof ApiError && error.status === 404) return <UnknownProject />;
  return (
    <Page
      title={project ? `${describeProject(project)} · ${texts.title}` : texts.title}
      actions={
        <Link to="/projects/$projectId" params={{ projectId }} className={buttonClass()}>
          {texts.back}
        </Link>
      }
    >
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
    </Page>
  );
}
