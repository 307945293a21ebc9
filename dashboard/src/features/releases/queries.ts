import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { request, requestPage, withQuery } from '../../lib/api.ts';
import type { Comparison, Deploy, ProjectEnvironment, Release } from '../../lib/api-types.ts';
import { expensive } from '../../lib/queries.ts';
import type { ComparisonSearch } from '../../lib/search/release-search.ts';

const PAGE_LENGTH = 100;
/** Number of the newest deploys read, for the environments of the newest releases. */
const DEPLOYS_READ = 500;
const COMPARISON_RENEWED_MS = 60_000;

/** Reads releases in the order of their first appearance, the last first. */
export const releasesQuery = (project: string | undefined) =>
  infiniteQueryOptions({
    queryKey: ['releases', 'list', project ?? null],
    queryFn: ({ pageParam, signal }) =>
      requestPage<Release>(
        withQuery('/releases', { project_id: project, limit: PAGE_LENGTH, cursor: pageParam ?? undefined }),
        signal,
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  });

/** Reads the reported deploys of a project, the newest first. */
export const deploysQuery = (project: string) =>
  queryOptions({
    queryKey: ['releases', 'deploys', project],
    queryFn: async ({ signal }) => {
      const path = withQuery(`/projects/${encodeURIComponent(project)}/deploys`, { limit: DEPLOYS_READ });
      return (await requestPage<Deploy>(path, signal)).items;
    },
  });

/** Compares two releases of a project; the server chooses those that are left out. */
export const comparisonQuery = (project: string, search: ComparisonSearch) =>
  queryOptions({
    queryKey: ['releases', 'comparison', project, search],
    queryFn: ({ signal }) =>
      request<Comparison>(
        'GET',
        withQuery(`/projects/${encodeURIComponent(project)}/releases/comparison`, { ...search }),
        { signal },
      ),
    ...expensive(COMPARISON_RENEWED_MS),
  });

export const environmentsQuery = (project: string) =>
  queryOptions({
    queryKey: ['projects', project, 'environments'],
    queryFn: ({ signal }) =>
      request<ProjectEnvironment[]>('GET', `/projects/${encodeURIComponent(project)}/environments`, {
        signal,
      }),
  });

export interface DeployValues {
  project: string;
  release: string;
  /** Default: that of the project. */
  environment?: string | undefined;
  /** Time of the deploy, ISO 8601; default: now. */
  at?: string | undefined;
}

export const recordDeploy = ({ project, ...body }: DeployValues) =>
  request<Deploy>('POST', `/projects/${encodeURIComponent(project)}/deploys`, { body });
