import { request } from './api.ts';
import { queryClient } from './queries.ts';

/** Accepts the membership that an owner made, and reads the data that depends on it again. */
export async function confirmMembership(organizationId: string): Promise<void> {
  await request('POST', `/organizations/${organizationId}/stay`);
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: ['notices'] }),
    queryClient.invalidateQueries({ queryKey: ['organization'] }),
  ]);
}
