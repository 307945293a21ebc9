import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { requestPage, withQuery } from '../api.ts';
import type { Deploy, Release } from '../api-types.ts';
import { nameProjects } from '../project-name.ts';
import { projectsQuery, queryClient } from '../queries.ts';
import { useMessages, useTopic } from '../realtime.ts';
import type { Scope } from '../scope.ts';
import type { EventSearch } from '../search/event-search.ts';

/** A release that begins to run somewhere: what may have changed in a chart. */
export interface ReleaseMark {
  atMs: number;
  release: string;
  /** Null where none is known. */
  environment: string | null;
  /** A deploy was reported; else the first event of the release counts as one. */
  isDeploy: boolean;
  projectId: string;
  /** Null where all marks are of one project. */
  projectName: string | null;
  /** Of its events on the events page. */
  search: EventSearch & Scope;
}

type FoundMark = Omit<ReleaseMark, 'projectName' | 'search'>;

interface Range {
  fromMs: number;
  toMs: number;
}

interface MarksOptions extends Range {
  /** Unset: all of the organization. */
  project: string | undefined;
  /** What the events page keeps beside the project and the release: a range of time, and other filters. */
  search: EventSearch & Scope;
}

/** Marks are folded where they are close: more of them could not be told apart. */
const MAX_MARKS = 500;
const RENEWED_MS = 60_000;

type ReportedDeploy = Pick<Deploy, 'release' | 'environment' | 'projectId' | 'deployedAt'>;
type SeenRelease = Pick<Release, 'version' | 'projectId' | 'firstSeen' | 'deployedAt'>;

/**
 * Each reported deploy, and each release without one at its first event, oldest first.
 * @param releases those whose first deploy, else first event, lies in the range of the deploys
 */
export function toReleaseMarks(
  deploys: readonly ReportedDeploy[],
  releases: readonly SeenRelease[],
): FoundMark[] {
  const reported = new Set(deploys.map(({ release }) => release));
  return [
    ...deploys.map(({ release, environment, projectId, deployedAt }) => ({
      atMs: Date.parse(deployedAt),
      release,
      environment,
      isDeploy: true,
      projectId,
    })),
    ...releases.flatMap(({ version, projectId, firstSeen, deployedAt }) => {
      if (deployedAt === null || reported.has(version)) return [];
      const isDeploy = deployedAt !== firstSeen;
      return [{ atMs: Date.parse(deployedAt), release: version, environment: null, isDeploy, projectId }];
    }),
  ].toSorted((one, other) => one.atMs - other.atMs);
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
        // The deploys of one project are listed; over all of them, each release has the time of its first.
        project === undefined
          ? []
          : readMarks<Deploy>(`/projects/${encodeURIComponent(project)}/deploys`, range, signal),
        readMarks<Release>('/releases', { ...range, project_id: project }, signal),
      ]);
      return toReleaseMarks(deploys, releases);
    },
    // A chart that is not read yet has no range.
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

/** The releases and deploys in a range of time; `UNREAD`, which is empty, until they are read. */
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

/** The same lists each time: nothing is drawn again for them. */
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
