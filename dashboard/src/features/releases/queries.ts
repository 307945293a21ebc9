import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { request, requestPage, withQuery } from '../../lib/api.ts';
import type { Deploy, Group, Release } from '../../lib/api-types.ts';

const PAGE_LENGTH = 100;
/** The newest deploys name the environments of the newest releases. */
const DEPLOYS_READ = 500;
const GROUPS_READ = 500;

/** In the order of appearance, the last first. */
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

/** The deploys of a project that were reported, the newest first. */
export const deploysQuery = (project: string) =>
  queryOptions({
    queryKey: ['releases', 'deploys', project],
    queryFn: async ({ signal }) => {
      const path = withQuery(`/projects/${encodeURIComponent(project)}/deploys`, { limit: DEPLOYS_READ });
      return (await requestPage<Deploy>(path, signal)).items;
    },
  });

/** The groups with events of a release, those with the newest events first. */
export const groupsOfReleaseQuery = (project: string, release: string) =>
  queryOptions({
    queryKey: ['releases', 'groups', project, release],
    queryFn: ({ signal }) =>
      requestPage<Group>(withQuery('/groups', { project_id: project, release, limit: GROUPS_READ }), signal),
  });

export interface DeployValues {
  project: string;
  release: string;
  environment: string;
  /** ISO 8601; unset: now. */
  at?: string | undefined;
}

export const recordDeploy = ({ project, ...body }: DeployValues) =>
  request<Deploy>('POST', `/projects/${encodeURIComponent(project)}/deploys`, { body });
