import { queryOptions } from '@tanstack/react-query';
import { request } from '../../lib/api.ts';
import type { NewTokenRecord, TokenRecord, TokenValues } from '../../lib/api-types.ts';

export const tokensQuery = queryOptions({
  queryKey: ['tokens'],
  queryFn: ({ signal }) => request<TokenRecord[]>('GET', '/tokens', { signal }),
});

export const createToken = (body: TokenValues) => request<NewTokenRecord>('POST', '/tokens', { body });

export const revokeToken = (id: string) => request('DELETE', `/tokens/${encodeURIComponent(id)}`);
