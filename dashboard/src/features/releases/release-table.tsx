import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Release } from '../../lib/api-types.ts';
import { useNow } from '../../lib/clock.ts';
import { DAY_MS } from '../../lib/durations.ts';
import { formatCount } from '../../lib/format.ts';
import { nameProjects } from '../../lib/project-name.ts';
import { projectsQuery } from '../../lib/queries.ts';
import { RelativeTime } from '../../ui/display/relative-time.tsx';
import { formatShare } from './format-share.ts';
import { deploysQuery } from './queries.ts';
import { texts } from './texts.ts';

interface ReleaseTableProps {
  releases: Release[];
  /** Id of the project; undefined if the releases are of several. */
  project: string | undefined;
}

const CELL = 'px-2 py-1.5 align-top';
const NUMBER = `${CELL} text-right`;
const WIDE = 'hidden lg:table-cell';
/** A link that is 24 px high in a line that stays as high as the others of its row. */
const LINK = '-my-0.5 inline-block min-w-6 leading-6 text-accent hover:underline';

/** A row for each release: its environments, times, counts, and new groups. */
export function ReleaseTable({ releases, project }: ReleaseTableProps) {
  const { data: projects = [] } = useQuery(projectsQuery);
  const { data: deploys = [] } = useQuery({ ...deploysQuery(project ?? ''), enabled: project !== undefined });
  const names = project === undefined ? nameProjects(projects) : null;
  const { columns } = texts;
  return (
    <section aria-label={texts.list} tabIndex={0} className="mb-4 overflow-x-auto">
      <table className="w-full text-sm">
        <thead className="text-left text-xs text-text-muted">
          <tr className="border-b border-line">
            <th scope="col" className={`${CELL} font-normal`}>
              {columns.version}
            </th>
            {names && (
              <th scope="col" className={`${CELL} hidden font-normal sm:table-cell`}>
                {columns.project}
              </th>
            )}
            <th scope="col" className={`${CELL} font-normal`}>
              {columns.deployed}
            </th>
            <th scope="col" className={`${CELL} ${WIDE} font-normal`}>
              {columns.first}
            </th>
            <th scope="col" className={`${CELL} ${WIDE} font-normal`}>
              {columns.last}
            </th>
            <th scope="col" className={`${NUMBER} hidden font-normal sm:table-cell`}>
              {columns.events}
            </th>
            <th scope="col" className={`${NUMBER} font-normal`}>
              {columns.errors}
            </th>
            <th scope="col" className={`${NUMBER} font-normal`}>
              {columns.newGroups}
            </th>
            <th scope="col" className={WIDE}>
              <span className="sr-only">{texts.compareShort}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {releases.map((release) => (
            <ReleaseRow
              key={`${release.projectId} ${release.version}`}
              release={release}
              projectName={names?.get(release.projectId) ?? null}
              withProject={names !== null}
              deploys={deploys.filter((deploy) => deploy.release === release.version)}
            />
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface ReleaseRowProps {
  release: Release;
  withProject: boolean;
  projectName: string | null;
  deploys: { environment: string; deployedAt: string }[];
}

function ReleaseRow({ release, withProject, projectName, deploys }: ReleaseRowProps) {
  const { version, projectId, firstSeen, lastSeen, events, errors } = release;
  return (
    <tr className="border-b border-line hover:bg-hover">
      <th scope="row" className={`${CELL} max-w-64 min-w-20 text-left font-normal`}>
        <Link
          to="/events"
          search={{ project: projectId, release: version, range: '30d' }}
          className="font-mono text-accent wrap-anywhere hover:underline"
        >
          {version}
        </Link>
        {withProject && (
          <span className="block text-xs text-text-muted wrap-anywhere sm:hidden">{projectName}</span>
        )}
      </th>
      {withProject && (
        <td className={`${CELL} hidden max-w-48 wrap-anywhere sm:table-cell`}>{projectName}</td>
      )}
      <td className={CELL}>
        <Deploys {...{ release, deploys }} />
      </td>
      <Time at={firstSeen} />
      <Time at={lastSeen} />
      <td className={`${NUMBER} hidden sm:table-cell`}>{formatCount(events)}</td>
      <td className={`${NUMBER} sm:whitespace-nowrap`}>
        {formatCount(errors)}{' '}
        {events > 0 && (
          <span className="block text-text-muted sm:inline">{texts.share(formatShare(errors / events))}</span>
        )}
      </td>
      <td className={NUMBER}>
        <NewGroups release={release} />
      </td>
      <td className={`${NUMBER} ${WIDE}`}>
        <Link
          to="/releases/compare"
          search={{ project: projectId, release: version }}
          aria-label={texts.compareOne(version)}
          className={LINK}
        >
          {texts.compareShort}
        </Link>
      </td>
    </tr>
  );
}

function Deploys({
  release: { firstSeen, deployedAt },
  deploys,
}: Pick<ReleaseRowProps, 'release' | 'deploys'>) {
  if (deploys.length > 0) {
    return deploys.map(({ environment, deployedAt: at }) => (
      <span key={environment} className="block">
        <span className="wrap-anywhere">{environment}</span>{' '}
        <RelativeTime at={at} className="text-text-muted" />
      </span>
    ));
  }
  if (deployedAt === null) return <span className="text-text-muted">{texts.none}</span>;
  return (
    <>
      {deployedAt === firstSeen && <span className="text-text-muted">{texts.noDeploy} </span>}
      <RelativeTime at={deployedAt} className="text-text-muted" />
    </>
  );
}

function NewGroups({ release: { projectId, version, deployedAt, newGroups } }: { release: Release }) {
  const now = useNow();
  if (newGroups === 0) return <span className="text-text-muted">0</span>;
  const isRecent = deployedAt !== null && now - Date.parse(deployedAt) < DAY_MS;
  return (
    <Link
      to="/groups"
      search={{
        project: projectId,
        release: version,
        state: 'all',
        severity: 'all',
        sort: 'first_seen',
        // The filter covers the last day only: it would hide all groups of an older release.
        ...(isRecent && { is: 'new' as const }),
      }}
      className={LINK}
    >
      {formatCount(newGroups)}
      <span className="sr-only"> {texts.columns.newGroups}</span>
    </Link>
  );
}

function Time({ at }: { at: string | null }) {
  return (
    <td className={`${CELL} ${WIDE} text-text-muted`}>
      {at === null ? texts.none : <RelativeTime at={at} />}
    </td>
  );
}
