import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { request, requestPage, withQuery } from '../../lib/api.ts';
import type { Deploy, Group, Release } from '../../lib/api-types.ts';

const PAGE_LENGTH = 100;
/** Number of the newest deploys read, for the environments of the newest releases. */
const DEPLOYS_READ = 500;
const GROUPS_READ = 500;

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

/** Reads the groups with events of a release, those with the newest events first. */
export const groupsOfReleaseQuery = (project: string, release: string) =>
  queryOptions({
    queryKey: ['releases', 'groups', project, release],
    queryFn: ({ signal }) =>
      requestPage<Group>(withQuery('/groups', { project_id: project, release, limit: GROUPS_READ }), signal),
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
