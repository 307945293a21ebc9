import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ProjectRecord } from '../../../lib/api-types.ts';
import { describeProject } from '../../../lib/project-name.ts';
import { projectsQuery } from '../../../lib/queries.ts';
import { useScope } from '../../../lib/scope.ts';
import { buttonClass } from '../../controls/button.tsx';
import { Icon } from '../../display/icons.tsx';
import { Empty, QueryState } from '../../feedback/states.tsx';
import { NoSuchProject } from '../unknown-project.tsx';
import { AlertsPage } from './alerts-page.tsx';
import { texts as words } from './texts.ts';

interface ProjectAlertsPageProps {
  title?: string;
  children: (projectId: string) => ReactNode;
}

/** A page of alerts about one project: that of the top bar, or the only one; otherwise it asks for one. */
export function ProjectAlertsPage({ children, ...page }: ProjectAlertsPageProps) {
  return (
    <AlertsPage {...page}>
      <ProjectContent>{children}</ProjectContent>
    </AlertsPage>
  );
}

function ProjectContent({ children }: Pick<ProjectAlertsPageProps, 'children'>) {
  const [scope] = useScope();
  const query = useQuery(projectsQuery);
  const projects = query.data;
  const id = scope.project ?? (projects?.length === 1 ? projects[0]?.id : undefined);
  if (id !== undefined && projects && !projects.some((project) => project.id === id)) {
    return <NoSuchProject />;
  }
  if (id !== undefined) return children(id);
  return projects ? <ProjectChoice projects={projects} /> : <QueryState query={query} rows={4} />;
}

/** A link for each project, which stays on the page. */
function ProjectChoice({ projects }: { projects: ProjectRecord[] }) {
  if (projects.length === 0) {
    return (
      <Empty
        title={words.noProjects}
        action={
          <Link to="/projects/new" className={buttonClass('primary')}>
            {words.createProject}
          </Link>
        }
      />
    );
  }
  return (
    <section aria-label={words.choose} className="max-w-xl">
      <h2 className="mb-2">{words.choose}</h2>
      <ul className="border-t border-line">
        {projects.map((project) => (
          <li key={project.id} className="border-b border-line">
            <Link
              to="."
              search={(previous: Record<string, unknown>) => ({ ...previous, project: project.id })}
              className="flex min-h-11 items-center gap-3 px-2 py-1.5 wrap-anywhere hover:bg-hover"
            >
              <Icon name="projects" className="text-text-muted" />
              <span className="min-w-0">{describeProject(project)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
