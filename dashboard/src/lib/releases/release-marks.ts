import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { requestPage, withQuery } from '../api.ts';
import type { Deploy, Release } from '../api-types.ts';
import { nameProjects } from '../project-name.ts';
import { projectsQuery, queryClient } from '../queries.ts';
import { useMessages, useTopic } from '../realtime.ts';
import type { Scope } from '../scope.ts';
import type { EventSearch } from '../search/event-search.ts';

/** Start of a release in an environment, a possible cause of a change in a chart. */
export interface ReleaseMark {
  atMs: number;
  release: string;
  /** Environment; null if it is not known. */
  environment: string | null;
  /** True for a reported deploy; otherwise the mark is the first event of the release. */
  isDeploy: boolean;
  /** False for a deploy to an environment that is not watched: it is the cause of nothing in the others. */
  isWatched: boolean;
  projectId: string;
  /** Name of the project; null if all marks are of one project. */
  projectName: string | null;
  /** Search for its events on the events page. */
  search: EventSearch & Scope;
}

type FoundMark = Omit<ReleaseMark, 'projectName' | 'search'>;

interface Range {
  fromMs: number;
  toMs: number;
}

interface MarksOptions extends Range {
  /** Id of the project; undefined for all of the organization. */
  project: string | undefined;
  /** Further parameters of the events page: a time range, and other filters. */
  search: EventSearch & Scope;
}

/** Maximum marks: close ones are folded, and more could not be told apart. */
const MAX_MARKS = 500;
const RENEWED_MS = 60_000;

type ReportedDeploy = Pick<Deploy, 'release' | 'environment' | 'projectId' | 'deployedAt' | 'isWatched'>;
type SeenRelease = Pick<Release, 'version' | 'projectId' | 'firstSeen' | 'deployedAt'>;

/**
 * Returns a mark for each reported deploy, and for the first event of each release without one to a watched environment,
 * oldest first.
 * @param releases releases whose first deploy or event lies in the range, as the service lists them
 */
export function toReleaseMarks(
  deploys: readonly ReportedDeploy[],
  releases: readonly SeenRelease[],
  { fromMs, toMs }: Range,
): FoundMark[] {
  const reported = new Set(deploys.map(({ release }) => release));
  const started = new Set(deploys.filter(({ isWatched }) => isWatched).map(({ release }) => release));
  return [
    ...deploys.map(({ release, environment, projectId, deployedAt, isWatched }) => ({
      atMs: Date.parse(deployedAt),
      release,
      environment,
      isDeploy: true,
      isWatched,
      projectId,
    })),
    ...releases.flatMap(({ version, projectId, firstSeen, deployedAt }) => {
      // First events are of watched environments alone.
      const isBefore = deployedAt !== null && Date.parse(deployedAt) < fromMs;
      const at = reported.has(version) || isBefore ? firstSeen : deployedAt;
      if (at === null || started.has(version)) return [];
      const isDeploy = at !== firstSeen;
      const atMs = Date.parse(at);
      return [{ atMs, release: version, environment: null, isDeploy, isWatched: true, projectId }];
    }),
  ]
    .filter(({ atMs }) => atMs >= fromMs && atMs <= toMs)
    .toSorted((one, other) => one.atMs - other.atMs);
}

const marksQuery = (project: string | undefined, { fromMs, toMs }: Range) =>
  queryOptions({
    queryKey: ['releases', 'marks', project ?? null, fromMs, toMs],
    queryFn: async ({ signal }) => {
      const range = {
        from: new Date(fromMs).toISOString(),
        to: new Date(toMs).toISOString(),
        limit: MAX_MARKS,
      };
      const [deploys, releases] = await Promise.all([
        // Deploys are listed only by project; over all projects, each release has the time of its first deploy.
        project === undefined
          ? []
          : readMarks<Deploy>(`/projects/${encodeURIComponent(project)}/deploys`, range, signal),
        readMarks<Release>('/releases', { ...range, project_id: project }, signal),
      ]);
      return toReleaseMarks(deploys, releases, { fromMs, toMs });
    },
    // A chart without data has no range yet.
    enabled: fromMs < toMs,
    placeholderData: keepPreviousData,
    staleTime: RENEWED_MS,
    refetchInterval: RENEWED_MS,
  });

async function readMarks<T>(
  path: string,
  parameters: Record<string, string | number | undefined>,
  signal: AbortSignal,
): Promise<T[]> {
  return (await requestPage<T>(withQuery(path, parameters), signal)).items;
}

/** Reads the releases and deploys in a time range; returns the empty `UNREAD` until they are read. */
export function useReleaseMarks({ project, search, fromMs, toMs }: MarksOptions): ReleaseMark[] {
  useReleaseNews();
  const { data: projects = [] } = useQuery(projectsQuery);
  const only = projects.length === 1 ? projects[0]?.id : undefined;
  const { data } = useQuery(marksQuery(project ?? only, { fromMs, toMs }));
  if (!data) return UNREAD;
  if (data.length === 0) return NONE;
  const names = project === undefined && projects.length > 1 ? nameProjects(projects) : null;
  return data.map((mark) => ({
    ...mark,
    projectName: names?.get(mark.projectId) ?? null,
    search: { ...search, project: mark.projectId, release: mark.release },
  }));
}

/** The same empty list each time: a new one would redraw the chart. */
const NONE: ReleaseMark[] = [];
export const UNREAD: ReleaseMark[] = [];

/** Reads releases and deploys again when there is a new one. */
export function useReleaseNews(): void {
  useTopic('releases');
  useMessages(({ event }) => {
    if (event === 'release_created' || event === 'deploy_recorded')
      void queryClient.invalidateQueries({ queryKey: ['releases'] });
  });
}
