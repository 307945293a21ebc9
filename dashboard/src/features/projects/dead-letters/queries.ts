import { queryOptions } from '@tanstack/react-query';
import { request, requestPage, withQuery } from '../../../lib/api.ts';
import type { DeadLetterDetailRecord, DeadLetterRecord, TakenLettersRecord } from '../../../lib/api-types.ts';

const REFRESH_MS = 5_000;

/** Reads the newest dead letters of a project, repeatedly: a replayed one may come back. */
export const deadLettersQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['projects', projectId, 'dead-letters'],
    queryFn: ({ signal }) => requestPage<DeadLetterRecord>(pathOf(projectId), signal),
    refetchInterval: REFRESH_MS,
  });

export const deadLetterQuery = (projectId: string, id: string) =>
  queryOptions({
    queryKey: ['dead-letter', projectId, id],
    queryFn: ({ signal }) => request<DeadLetterDetailRecord>('GET', pathOf(projectId, id), { signal }),
  });

export const replayLetter = (projectId: string, id: string) =>
  request('POST', `${pathOf(projectId, id)}/replay`);

export const discardLetter = (projectId: string, id: string) => request('DELETE', pathOf(projectId, id));

export const replayLetters = (projectId: string) => takeAll('POST', `${pathOf(projectId)}/replay`);

export const discardLetters = (projectId: string) => takeAll('DELETE', pathOf(projectId));

/** Repeats a request for what was there at the first one. @returns the number of dead letters */
async function takeAll(method: string, path: string): Promise<number> {
  let total = 0;
  for (let until: string | undefined; ; ) {
    const taken = await request<TakenLettersRecord>(method, withQuery(path, { until }));
    total += taken.count;
    until ??= taken.until;
    if (taken.count === 0 || taken.left === 0) return total;
  }
}

function pathOf(projectId: string, id?: string): string {
  const path = `/projects/${encodeURIComponent(projectId)}/dead-letters`;
  return id === undefined ? path : `${path}/${encodeURIComponent(id)}`;
}
