import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ProjectRecord } from '../../lib/api-types.ts';
import { formatCount } from '../../lib/format.ts';
import { projectsQuery } from '../../lib/queries.ts';
import { Sparkline } from '../../ui/charts/sparkline.tsx';
import { buttonClass } from '../../ui/controls/button.tsx';
import { RelativeTime } from '../../ui/display/relative-time.tsx';
import { useShownRows } from '../../ui/feedback/show-more.tsx';
import { Empty, QueryState } from '../../ui/feedback/states.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { countOf, lastDayQuery, sumOf } from './queries.ts';
import { texts } from './texts.ts';

const words = texts.projectsPage;

/** Maximum projects with counts, which each row requests by itself. */
const MAX_COUNTED = 50;

export function ProjectsPage() {
  const { data: projects, error, refetch } = useQuery(projectsQuery);
  const create = (
    <Link to="/projects/new" className={buttonClass('primary')}>
      {words.createProject}
    </Link>
  );
  return (
    <Page title={words.projects} actions={projects && projects.length > 0 && create}>
      {!projects && <QueryState query={{ error, refetch }} rows={4} />}
      {projects?.length === 0 && (
        <Empty title={words.noProjectsYet} action={create}>
          {words.hint}
        </Empty>
      )}
      {projects && projects.length > 0 && <ProjectTable projects={projects} />}
    </Page>
  );
}

function ProjectTable({ projects }: { projects: ProjectRecord[] }) {
  const isCounted = projects.length <= MAX_COUNTED;
  const { shown, more } = useShownRows(projects);
  return (
    <>
      <table aria-label={words.projects} className="w-full text-left">
        <thead className="text-sm text-text-muted">
          <tr className="border-b border-line">
            <th className="py-2 pr-4 font-normal">{words.name}</th>
            <th className="py-2 pr-4 font-normal">{words.environment}</th>
            <th className="hidden py-2 pr-4 font-normal sm:table-cell">{words.created}</th>
            {isCounted && <th className="py-2 text-right font-normal">{words.events24H}</th>}
          </tr>
        </thead>
        <tbody>
          {shown.map((project) => (
            <tr key={project.id} className="border-b border-line hover:bg-hover">
              <td className="py-2 pr-4 wrap-anywhere">
                <Link
                  to="/projects/$projectId"
                  params={{ projectId: project.id }}
                  className="inline-block min-w-6 leading-6 font-semibold hover:underline"
                >
                  {project.name}
                </Link>
              </td>
              <td className="py-2 pr-4 text-text-muted">{project.environment}</td>
              <td className="hidden py-2 pr-4 text-text-muted sm:table-cell">
                <RelativeTime at={project.createdAt} />
              </td>
              {isCounted && (
                <td className="py-2">
                  <LastDay projectId={project.id} />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {more}
    </>
  );
}

function LastDay({ projectId }: { projectId: string }) {
  const { data: buckets } = useQuery(lastDayQuery(projectId));
  return (
    <span className="flex items-center justify-end gap-3">
      <span className="hidden sm:block">
        <Sparkline counts={buckets?.map(countOf) ?? []} />
      </span>
      <span className="min-w-12 text-right">{buckets ? formatCount(sumOf(buckets)) : '…'}</span>
    </span>
  );
}
