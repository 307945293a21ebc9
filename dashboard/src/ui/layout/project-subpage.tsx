import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ApiError } from '../../lib/api.ts';
import { describeProject } from '../../lib/project-name.ts';
import { projectsQuery } from '../../lib/queries.ts';
import { buttonClass } from '../controls/button.tsx';
import { texts } from '../texts.ts';
import { Page } from './page.tsx';
import { UnknownProject } from './unknown-project.tsx';

interface ProjectSubpageProps {
  projectId: string;
  title: string;
  /** Error of what the page is about; null: none. */
  error: Error | null;
  children: ReactNode;
}

/** A page about a part of a project, which leads back to the project. */
export function ProjectSubpage({ projectId, title, error, children }: ProjectSubpageProps) {
  const { data: projects = [] } = useQuery(projectsQuery);
  const project = projects.find(({ id }) => id === projectId);
  if (error instanceof ApiError && error.status === 404) return <UnknownProject />;
  return (
    <Page
      title={project ? `${describeProject(project)} · ${title}` : title}
      actions={
        <Link to="/projects/$projectId" params={{ projectId }} className={buttonClass()}>
          {texts.backToProject}
        </Link>
      }
    >
      {children}
    </Page>
  );
}
