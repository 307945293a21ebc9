import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiError } from '../../lib/api.ts';
import { describeProject } from '../../lib/project-name.ts';
import { projectsQuery } from '../../lib/queries.ts';
import { QueryState } from '../../ui/feedback/states.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { UnknownProject } from '../../ui/layout/unknown-project.tsx';

interface ProjectPageProps<Data> {
  projectId: string;
  title: string;
  actions: ReactNode;
  /** Query of the page's data. */
  query: UseQueryResult<Data>;
  children: (data: Data) => ReactNode;
}

/** A page about one project, named in its title, once its data has been read. */
export function ProjectPage<Data>({ projectId, title, actions, query, children }: ProjectPageProps<Data>) {
  const { data, error, refetch } = query;
  const { data: projects } = useQuery(projectsQuery);
  if (error instanceof ApiError && error.status === 404) return <UnknownProject />;
  const project = projects?.find(({ id }) => id === projectId);
  return (
    <Page title={project ? `${describeProject(project)} · ${title}` : title} actions={actions}>
      {data !== undefined ? children(data) : <QueryState query={{ error, refetch }} rows={8} />}
    </Page>
  );
}
