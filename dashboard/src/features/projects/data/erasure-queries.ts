import { queryOptions } from '@tanstack/react-query';
import { request, withQuery } from '../../../lib/api.ts';
import type { ErasurePreviewRecord, ErasureRecord, ErasureValues } from '../../../lib/api-types.ts';

/** Renewal interval while an erasure is in progress. */
const PROGRESS_MS = 2_000;

/** Reads the newest erasures in a project, those in all projects included. */
export const erasuresQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['projects', projectId, 'erasures'],
    queryFn: ({ signal }) =>
      request<ErasureRecord[]>('GET', withQuery('/erasures', { project_id: projectId, limit: 20 }), {
        signal,
      }),
    refetchInterval: ({ state }) =>
      state.data?.some((erasure) => erasure.state !== 'done') ? PROGRESS_MS : false,
  });

export const previewErasure = (body: ErasureValues) =>
  request<ErasurePreviewRecord>('POST', '/erasures/preview', { body });

export const requestErasure = (body: ErasureValues) => request<ErasureRecord>('POST', '/erasures', { body });
