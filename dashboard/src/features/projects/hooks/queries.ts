import { queryOptions } from '@tanstack/react-query';
import { request } from '../../../lib/api.ts';
import type { HookRecord, NewHookRecord } from '../../../lib/api-types.ts';

const REFRESH_MS = 5_000;

/** Reads the hooks of a project, repeatedly: the user waits for the first request of a sender. */
export const hooksQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['projects', projectId, 'hooks'],
    queryFn: ({ signal }) => request<HookRecord[]>('GET', pathOf(projectId), { signal }),
    refetchInterval: REFRESH_MS,
  });

export interface NewHookValues {
  kind: HookRecord['kind'];
  name?: string;
}

export const createHook = (projectId: string, body: NewHookValues) =>
  request<NewHookRecord>('POST', pathOf(projectId), { body });

export const setSecrets = ({ projectId, id }: HookRecord, secrets: string[]) =>
  request<HookRecord>('PATCH', `${pathOf(projectId)}/${encodeURIComponent(id)}`, { body: { secrets } });

export const deleteHook = ({ projectId, id }: HookRecord) =>
  request('DELETE', `${pathOf(projectId)}/${encodeURIComponent(id)}`);

function pathOf(projectId: string): string {
  return `/projects/${encodeURIComponent(projectId)}/hooks`;
}
