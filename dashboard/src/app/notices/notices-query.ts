import { queryOptions } from '@tanstack/react-query';
import { request } from '../../lib/api.ts';
import type { NoticeRecord } from '../../lib/api-types.ts';

export const noticesQuery = queryOptions({
  queryKey: ['notices'],
  queryFn: ({ signal }) => request<NoticeRecord[]>('GET', '/auth/notices', { signal }),
  staleTime: 60_000,
});
