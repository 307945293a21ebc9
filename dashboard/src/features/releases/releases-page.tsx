import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { projectsQuery } from '../../lib/queries.ts';
import { useReleaseNews } from '../../lib/releases/release-marks.ts';
import { useScope } from '../../lib/scope.ts';
import { readReleaseSearch } from '../../lib/search/release-search.ts';
import { Button, buttonClass } from '../../ui/controls/button.tsx';
import { Sentence } from '../../ui/display/sentence.tsx';
import { LoadMore } from '../../ui/feedback/load-more.tsx';
import { Empty, QueryState } from '../../ui/feedback/states.tsx';
import { GroupsHeading } from '../../ui/layout/groups-heading.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { DeploySnippet } from './deploy-snippet.tsx';
import { releasesQuery } from './queries.ts';
import { RecordDeploy } from './record-deploy.tsx';
import { ReleaseTable } from './release-table.tsx';
import { texts } from './texts.ts';

/** The releases named by events and deploys, the last to appear first. */
export function ReleasesPage() {
  useReleaseNews();
  const { record = false } = readReleaseSearch(useSearch({ strict: false }));
  const [scope] = useScope();
  const navigate = useNavigate({ from: '/releases' });
  const { data: projects = [], isPending } = useQuery(projectsQuery);
  const project = scope.project ?? (projects.length === 1 ? projects[0]?.id : undefined);
  const list = useInfiniteQuery(releasesQuery(project));
  const releases = list.data?.pages.flatMap(({ items }) => items);
  const showRecord = (shown: boolean) =>
    void navigate({
      search: (previous) => ({ ...previous, record: shown ? true : undefined }),
      replace: !shown,
    });
  return (
    <Page
      title={texts.title}
      head={
        <div className="flex-1">
          <GroupsHeading page="releases" />
        </div>
      }
      actions={
        projects.length > 0 && (
          <>
            <Link to="/releases/compare" search={{ project }} className={buttonClass()}>
              {texts.compare}
            </Link>
            <Button onClick={() => showRecord(true)}>{texts.record}</Button>
          </>
        )
      }
    >
      {releases ? (
        releases.length === 0 ? (
          <Empty title={texts.empty.title}>
            <Sentence text={texts.empty.text} />
          </Empty>
        ) : (
          <ReleaseTable releases={releases} project={project} />
        )
      ) : (
        <QueryState query={list} rows={6} />
      )}
      <LoadMore list={list} />
      <DeploySnippet environment={projects.find(({ id }) => id === project)?.environment} />
      {record && !isPending && (
        <RecordDeploy projects={projects} project={project} onClose={() => showRecord(false)} />
      )}
    </Page>
  );
}
